/** What answers and the requests they belong to are matched by; undefined for a message that is no answer. */
export function readAnswerKey(message: Buffer | undefined): string | undefined {
  if (message === undefined) return undefined;
  try {
    const parsed: unknown = JSON.parse(message.toString('utf8'));
    if (typeof parsed !== 'object' || parsed === null || 'method' in parsed || !('id' in parsed))
      return undefined;
    return JSON.stringify(parsed.id);
  } catch {
    return undefined;
  }
}
