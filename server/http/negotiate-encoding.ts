export type Encoding = 'br' | 'gzip' | 'identity';

/** Clients send a handful of different values; more than this many is somebody playing. */
const REMEMBERED = 256;
const chosen = new Map<string, Encoding>();
const QUALITY = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/**
 * The content coding for an answer (contract 5, RFC 9110 section 12.5.3): the highest quality wins, on equal quality
 * brotli before gzip before none. `identity` also when everything was refused, since an answer is worth more than a 406.
 * @param acceptEncoding the `Accept-Encoding` header as received; undefined means none
 */
export function chooseEncoding(acceptEncoding: string | undefined): Encoding {
  if (acceptEncoding === undefined) return 'identity';
  const known = chosen.get(acceptEncoding);
  if (known !== undefined) return known;
  const encoding = negotiate(acceptEncoding);
  if (chosen.size < REMEMBERED && acceptEncoding.length <= 256) chosen.set(acceptEncoding, encoding);
  return encoding;
}

function negotiate(header: string): Encoding {
  const listed = readQualities(header);
  const any = listed.get('*') ?? 0;
  const br = listed.get('br') ?? any;
  const gzip = listed.get('gzip') ?? any;
  // An identity that is not listed is acceptable, but never preferred over a coding the client asked for.
  const identity = listed.get('identity') ?? 0;
  if (br > 0 && br >= gzip && br >= identity) return 'br';
  return gzip > 0 && gzip >= identity ? 'gzip' : 'identity';
}

/** Each coding once with its quality, the first mention counting; a malformed quality refuses the coding. */
function readQualities(header: string): Map<string, number> {
  const qualities = new Map<string, number>();
  for (const element of header.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = element.split(';').map((part) => part.trim());
    const name = coding === 'x-gzip' ? 'gzip' : coding;
    if (name === '' || qualities.has(name)) continue;
    qualities.set(name, readQuality(parameters));
  }
  return qualities;
}

function readQuality(parameters: readonly string[]): number {
  for (const parameter of parameters) {
    const [key = '', value = ''] = parameter.split('=').map((part) => part.trim());
    if (key === 'q') return QUALITY.test(value) ? Number(value) : 0;
  }
  return 1;
}
