import { quoteShell } from './quote-shell.ts';

/**
 * The script that readies a stage, on Debian's and on Alpine's family: trusts the certificates in `/berth/ca.pem`,
 * installs the packages, makes the user the server runs as.
 *
 * @param needs shell lines for what the scheme needs of the image; they may use `add` and `add_certificates`
 * @param packages of `--runtime-add-package`
 */
export function writePrepareScript(needs: readonly string[], packages: readonly string[]): string {
  return `set -eu
bundle=/etc/ssl/certs/ca-certificates.crt

trust() {
  [ -f /berth/ca.pem ] || return 0
  mkdir -p /etc/ssl/certs /usr/local/share/ca-certificates
  cp /berth/ca.pem /usr/local/share/ca-certificates/berth.crt
  touch "$bundle"
  mark="# added by berth"
  grep -qxF "$mark" "$bundle" || { printf '\\n%s\\n' "$mark"; cat /berth/ca.pem; } >> "$bundle"
}

# add APT-PACKAGES APK-PACKAGES: each a list of words
add() {
  if command -v apk >/dev/null 2>&1; then
    apk add --quiet --no-cache $2
  elif command -v apt-get >/dev/null 2>&1; then
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends -o Dpkg::Use-Pty=0 $1 >/tmp/berth-apt.log 2>&1 || { tail -n 20 /tmp/berth-apt.log >&2; exit 1; }
    rm -rf /var/lib/apt/lists/* /tmp/berth-apt.log
  else
    echo "this image has neither apk nor apt-get to install: $1" >&2
    exit 1
  fi
}

[ -s "$bundle" ] && had_bundle=yes || had_bundle=no
add_certificates() { [ "$had_bundle" = yes ] || add ca-certificates ca-certificates; }

trust
${needs.join('\n')}
${packages.length > 0 ? `packages=${quoteShell(packages.join(' '))}\nadd "$packages" "$packages"` : ''}
# A package may have written the bundle anew.
trust

if ! grep -q '^berth:' /etc/passwd; then
  echo 'berth:x:10001:10001:berth:/home/berth:/bin/sh' >> /etc/passwd
  echo 'berth:x:10001:' >> /etc/group
fi
mkdir -p /home/berth
chown 10001:10001 /home/berth
`;
}
