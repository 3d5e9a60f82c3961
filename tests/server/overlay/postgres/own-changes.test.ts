import { expect, it } from 'vitest';
import { OwnChanges } from '../../../../server/overlay/postgres/own-changes.ts';

const CHANGE = { kind: 'entry', source: 'main', type: 'server', name: 'io.example/one' } as const;

it('knows what it was answered, and tells once what it was not', () => {
  const [own, other] = [new OwnChanges(), new OwnChanges()];
  const [answered, lost] = [own.makeOrigin(), own.makeOrigin()];
  own.doubt(lost, CHANGE);
  own.doubt(own.makeOrigin(), { ...CHANGE });
  expect([own.isKnown(answered), own.isKnown(lost), own.isKnown(other.makeOrigin())]).toEqual([
    true,
    false,
    false,
  ]);
  expect(own.takeDoubtful()).toEqual([CHANGE]);
  expect(own.takeDoubtful()).toEqual([]);
});
