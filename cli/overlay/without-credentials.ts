import { isPlainObject, type PlainObject } from '../../sources/model/plain-object.ts';

const ADDRESSES = [
  ['file', 'url'],
  ['git', 'repository'],
  ['api', 'endpoint'],
  ['api', 'auth', 'clientCredentials', 'tokenUrl'],
] as const;

/** A source as the API was sent it, its addresses without user and password; the name of an ssh user is no secret. */
export function withoutCredentials(body: PlainObject): PlainObject {
  return ADDRESSES.reduce((shown, path) => changeText(shown, path, stripAddress), body);
}

function stripAddress(address: string): string {
  if (/^ssh:/i.test(address)) return address.replace(/^(ssh:\/\/[^/@:]*):[^/@]*@/i, '$1@');
  return address.replace(/^([a-z+]+:\/\/)[^/@]*@/i, '$1');
}

function changeText(
  object: PlainObject,
  [key, ...rest]: readonly string[],
  change: (text: string) => string,
): PlainObject {
  if (key === undefined || !Object.hasOwn(object, key)) return object;
  const value = object[key];
  if (rest.length === 0) return typeof value === 'string' ? { ...object, [key]: change(value) } : object;
  return isPlainObject(value) ? { ...object, [key]: changeText(value, rest, change) } : object;
}
