#!/bin/sh
# Lists the commits since a revision (default: the last tag, or the beginning) with the files each one touched.
set -eu

since=${1:-$(git describe --tags --abbrev=0 2>/dev/null || true)}
if [ -n "$since" ]; then
  git rev-parse --verify --quiet "$since^{commit}" >/dev/null || {
    echo "list-changes: '$since' is no tag or revision of this repository; see 'git tag --list'" >&2
    exit 2
  }
  range="$since..HEAD"
else
  range=HEAD
fi

git log --no-merges --reverse --format='%h %s' --name-only "$range" | sed -e '/^$/d' -e '/^[0-9a-f]\{7,40\} /!s/^/    /'
