import { refuseFlag } from './flag-error.ts';
import { readPair } from './read-values.ts';

const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/;
const DOMAIN = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/;
/** Labels below it say what belongs to which workload. */
const OWN_DOMAIN = 'dev.berth';

/** `--label`, in the syntax of Kubernetes labels (contract 3). @throws UsageError */
export function readLabels(given: readonly string[] | undefined): Record<string, string> {
  const labels: Record<string, string> = {};
  for (const text of given ?? []) {
    const [key, value] = readPair('--label', text, 'key=value');
    const fault = findLabelFault(key, value);
    if (fault !== undefined) throw refuseFlag('--label', `"${text}": ${fault}.`);
    labels[key] = value;
  }
  return labels;
}

/** Why something cannot be a label; undefined when it can. */
export function findLabelFault(key: string, value: string): string | undefined {
  const parts = key.split('/');
  const [domain, name] = parts.length === 1 ? [undefined, key] : [parts[0], parts[1]];
  if (parts.length > 2 || name === undefined || !NAME.test(name)) {
    return 'the name of the key must be 1 to 63 letters, digits, "-", "_" and ".", beginning and ending with a letter or digit';
  }
  if (domain !== undefined && (domain.length > 253 || !DOMAIN.test(domain))) {
    return 'what stands before "/" must be a domain name';
  }
  if (key.startsWith(`${OWN_DOMAIN}.`) || domain === OWN_DOMAIN)
    return `keys of ${OWN_DOMAIN} are those of berth`;
  if (value !== '' && !NAME.test(value)) {
    return 'the value must be at most 63 letters, digits, "-", "_" and ".", beginning and ending with a letter or digit';
  }
  return undefined;
}
