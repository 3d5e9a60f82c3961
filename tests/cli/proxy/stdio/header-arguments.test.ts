import { describe, expect, it } from 'vitest';
import { decodeHeader } from '../../../../cli/proxy/stdio/decode-header.ts';
import { findHeaderArguments, findMismatch } from '../../../../cli/proxy/stdio/header-arguments.ts';

const SCHEMA = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    plain: { type: 'string' },
    list: { type: 'array', 'x-mcp-header': 'List' },
    spaced: { type: 'string', 'x-mcp-header': 'two words' },
    inner: {
      type: 'object',
      properties: {
        count: { type: 'integer', 'x-mcp-header': 'Count' },
        isDry: { type: 'boolean', 'x-mcp-header': 'Dry' },
      },
    },
  },
};
const wanted = findHeaderArguments(SCHEMA);
const mismatch = (given: unknown, headers: Readonly<Record<string, string>>) =>
  findMismatch(wanted, given, (name) => headers[name]);

describe('arguments that are repeated in headers', () => {
  it('are found at any depth, when they are well defined', () => {
    expect(wanted).toEqual([
      { header: 'mcp-param-region', path: ['region'] },
      { header: 'mcp-param-count', path: ['inner', 'count'] },
      { header: 'mcp-param-dry', path: ['inner', 'isDry'] },
    ]);
    const twice = { a: { type: 'string', 'x-mcp-header': 'A' }, b: { type: 'string', 'x-mcp-header': 'a' } };
    expect(findHeaderArguments({ type: 'object', properties: twice })).toEqual([]);
    expect(findHeaderArguments(undefined)).toEqual([]);
    expect(findHeaderArguments(true)).toEqual([]);
  });

  it('must be the same in both places, and are not wanted when they are not given', () => {
    expect(mismatch({ region: 'eu' }, { 'mcp-param-region': 'eu' })).toBeUndefined();
    expect(mismatch({ region: 'eu' }, {})).toBe('mcp-param-region');
    expect(mismatch({ region: 'eu' }, { 'mcp-param-region': 'us' })).toBe('mcp-param-region');
    expect(mismatch({ region: null }, { 'mcp-param-region': 'us' })).toBeUndefined();
    expect(mismatch({}, { 'mcp-param-region': 'us' })).toBeUndefined();
    expect(mismatch(undefined, {})).toBeUndefined();
    expect(mismatch({ region: '' }, { 'mcp-param-region': '' })).toBeUndefined();
    expect(mismatch({ region: ['eu'] }, {})).toBeUndefined();
  });

  it('are compared as what they are', () => {
    expect(mismatch({ inner: { count: 42 } }, { 'mcp-param-count': '42.0' })).toBeUndefined();
    expect(mismatch({ inner: { count: 42 } }, { 'mcp-param-count': '0x2a' })).toBe('mcp-param-count');
    expect(mismatch({ inner: { isDry: true } }, { 'mcp-param-dry': 'true' })).toBeUndefined();
    expect(mismatch({ inner: { isDry: true } }, { 'mcp-param-dry': 'TRUE' })).toBe('mcp-param-dry');
    expect(mismatch({ region: 'zürich' }, { 'mcp-param-region': '=?base64?esO8cmljaA==?=' })).toBeUndefined();
  });
});

describe('a value in base64', () => {
  it('is read only when it is whole', () => {
    expect(decodeHeader('=?base64?SGVsbG8=?=')).toBe('Hello');
    expect(decodeHeader('=?base64?SGVsbG8?=')).toBeUndefined();
    expect(decodeHeader('=?base64?SGVs!bG8=?=')).toBeUndefined();
    expect(decodeHeader('=?base64?/w==?=')).toBeUndefined();
    expect(decodeHeader('=?base64??=')).toBe('');
    expect(decodeHeader('SGVsbG8=')).toBe('SGVsbG8=');
    expect(decodeHeader(undefined)).toBeUndefined();
  });
});
