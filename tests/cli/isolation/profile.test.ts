import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BUILT_IN_PROFILES } from '../../../cli/isolation/profile.ts';
import { readProfileFlag } from '../../../cli/run/flags/read-profile-flag.ts';
import { proves } from '../../requirements/proves.ts';
import { makeDirectory } from '../../support/temporary-directory.ts';

function read(text: string) {
  const directory = makeDirectory();
  writeFileSync(join(directory, 'profile.json'), text);
  return readProfileFlag('profile.json', directory);
}

const FULL = {
  name: 'mine',
  read: ['/a:/a'],
  write: ['/b:/b'],
  network: {
    outbound: { insecure_allow_all: false, allow_host: ['.example.com', '203.0.113.1'], allow_port: [443] },
    inbound: { allow_host: ['localhost'] },
  },
  privileged: false,
};

describe('a permission profile', () => {
  it(`${proves('K-4-01', 'R-4.1-25')} has every documented member, none of them required`, () => {
    expect(read(JSON.stringify(FULL))).toEqual(FULL);
    expect(read('{}')).toEqual({ ...BUILT_IN_PROFILES.none, name: undefined });
    expect(read('{"network":{}}')?.network.outbound.insecure_allow_all).toBe(false);
  });

  it.each([
    ['{"nmae":"x"}', /profile\.json:1:\d+: .*nmae/],
    [
      '{\n "network": {\n  "outbound": {"allow_hosts": []}}}',
      /profile\.json:3:\d+: .*allow_hosts.*allow_host, allow_port/,
    ],
    ['{"network":{"mode":"host"}}', /mode/],
    ['{"network":{"outbound":{"allow_port":[70000]}}}', /profile\.json:1:\d+: .*allow_port/],
    ['{"network":{"outbound":{"allow_port":["443"]}}}', /allow_port/],
    ['{"network":{"outbound":{"allow_host":["http://x"]}}}', /profile\.json:1:\d+: .*allow_host/],
    ['{"read": [', /profile\.json/],
    ['', /profile\.json/],
  ])(`${proves('K-4-01')} says where %j is wrong`, (text, expected) => {
    let said = '';
    try {
      read(text);
    } catch (error) {
      said =
        error instanceof Error && 'describe' in error && typeof error.describe === 'function'
          ? error.describe()
          : '';
    }
    expect(said).toMatch(expected);
  });
});
