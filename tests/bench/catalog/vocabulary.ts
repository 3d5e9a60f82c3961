import { createRandom } from './random.ts';

const SUBJECTS =
  'invoice calendar ticket repository pipeline customer warehouse shipment contract payroll inventory vehicle patient sensor forecast campaign subscription translation transcript document spreadsheet presentation database schema migration container cluster deployment secret certificate identity permission audit metric dashboard incident alert trace log queue topic stream bucket archive backup snapshot image video audio podcast weather traffic route map location address building floorplan recipe nutrition workout booking hotel flight train parcel invoice ledger payment refund budget expense tax currency portfolio stock bond option crypto wallet token domain website sitemap keyword feed newsletter mailbox contact meeting agenda minutes survey poll form signature quote proposal lead opportunity account territory quota commission order cart checkout catalog product review rating warranty return supplier purchase requisition asset license patch vulnerability firewall gateway proxy tunnel network subnet switch router device firmware printer scanner camera drone robot machine tool workflow approval task project sprint backlog epic story milestone release changelog branch commit merge issue comment notebook dataset model prompt embedding vector agent memory session browser page screenshot selector test fixture coverage benchmark profile heap thread lock cache index search crawler parser linter formatter compiler package registry module plugin theme widget icon font palette animation scene mesh texture shader level quest player leaderboard tournament ticketing venue seat artist album track playlist lyric chord instrument course lesson quiz student grade classroom library book chapter citation journal preprint experiment protocol reagent genome protein molecule crystal telescope galaxy satellite orbit turbine battery charger meter tariff grid pump valve boiler thermostat lamp doorbell irrigation harvest seed livestock vessel port cargo customs manifest claim policy premium broker mortgage tenant lease inspection permit zoning council ballot election petition court docket statute clause verdict police fire ambulance shelter donor grant charity volunteer';
const VERBS =
  'create list read update delete search find fetch export import convert compare merge split summarize classify translate validate schedule cancel approve reject assign route notify subscribe publish archive restore sync replicate encrypt decrypt sign verify rotate scan monitor trace profile deploy rollback scale restart provision inspect query aggregate forecast simulate render resize annotate transcribe';
const EXTRA_SYLLABLES = ['ra', 'ven', 'tor', 'mi', 'lu', 'kas', 'do', 'pel', 'sin', 'qua', 'bre', 'zon'];

/** Several hundred distinct words of the kind catalogs are written in, the frequent ones first. */
export const WORDS: readonly string[] = [
  ...new Set([...SUBJECTS.split(' '), ...VERBS.split(' '), ...makeProductNames(300)]),
];

export const VERB_LIST: readonly string[] = VERBS.split(' ');

function makeProductNames(count: number): string[] {
  const random = createRandom(77);
  const syllable = () => EXTRA_SYLLABLES[Math.floor(random() * EXTRA_SYLLABLES.length)] ?? '';
  return Array.from({ length: count }, () => syllable() + syllable() + syllable());
}

/** A word as texts use them: a few very often, most of them rarely. */
export function frequentWord(random: () => number): string {
  return WORDS[Math.floor(random() ** 2 * WORDS.length)] ?? '';
}
