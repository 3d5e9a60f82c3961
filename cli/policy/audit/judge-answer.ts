const ERROR = Buffer.from('"error"');
const IS_ERROR = Buffer.from('"isError"');
/** An answer this large is not read again only to learn whether it was an error. */
const MAX_READ_BYTES = 1_048_576;

/** Whether a JSON-RPC answer is an error, or a tool result that says it is one. */
export function isErrorAnswer(message: Buffer): boolean {
  if (message.byteLength > MAX_READ_BYTES) return false;
  if (!message.includes(ERROR) && !message.includes(IS_ERROR)) return false;
  try {
    const answer: unknown = JSON.parse(message.toString());
    if (typeof answer !== 'object' || answer === null) return false;
    if ('error' in answer) return true;
    const result: unknown = 'result' in answer ? answer.result : undefined;
    return typeof result === 'object' && result !== null && 'isError' in result && result.isError === true;
  } catch {
    // What is no JSON is the server's fault and shows in what the client makes of it.
    return false;
  }
}
