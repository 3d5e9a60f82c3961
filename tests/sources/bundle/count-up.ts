// A process of its own for the test of the store's lock: counts up the records of two sources, one of them shared.
import { BundleStore } from '../../../sources/bundle/bundle-store.ts';
import { countUp } from './count-record.ts';

const [dir = '', own = '', rounds = '0'] = process.argv.slice(2);
const store = new BundleStore(dir);
for (let round = 0; round < Number(rounds); round++) {
  await store.updateSource('shared', countUp);
  await store.updateSource(own, countUp);
}
