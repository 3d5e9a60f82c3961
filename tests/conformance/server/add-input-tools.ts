import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { text } from './add-tools.ts';

/** Seals what is carried from round to round. The same key in every process, because rounds may reach different ones. */
export const codec = createRequestStateCodec<string>({ key: 'the key of a fixture, known to everybody' });

const ask = (message: string, field: string, type: 'string' | 'boolean' = 'string') =>
  inputRequired.elicit({
    message,
    requestedSchema: {
      type: 'object',
      properties: { [field]: type === 'boolean' ? { type } : { type } },
      required: [field],
    },
  });
const sample = (prompt: string, maxTokens: number) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
    maxTokens,
  });

type Run = (context: ServerContext) => ReturnType<typeof text> | Promise<Finished>;
type Finished = ReturnType<typeof text> | ReturnType<typeof inputRequired>;

const TOOLS: Readonly<Record<string, Run>> = {
  async test_input_required_result_elicitation({ mcpReq }) {
    const content = acceptedContent<{ name: unknown }>(mcpReq.inputResponses, 'user_name');
    if (typeof content?.name === 'string') return text(`Hello, ${content.name}!`);
    return inputRequired({ inputRequests: { user_name: ask('What is your name?', 'name') } });
  },
  async test_input_required_result_sampling({ mcpReq }) {
    const answer = inputResponse(mcpReq.inputResponses, 'capital_question');
    if (answer.kind === 'sampling') return text(JSON.stringify(answer.result.content));
    const capital_question = sample('What is the capital of France?', 100);
    return inputRequired({ inputRequests: { capital_question } });
  },
  async test_input_required_result_list_roots({ mcpReq }) {
    const answer = inputResponse(mcpReq.inputResponses, 'client_roots');
    if (answer.kind === 'roots') return text(`Roots: ${JSON.stringify(answer.roots)}`);
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  },
  async test_input_required_result_request_state({ mcpReq }) {
    const isSame = mcpReq.requestState<string>() === 'asked';
    if (isSame && inputResponse(mcpReq.inputResponses, 'confirm').kind === 'elicit') return text('state-ok');
    const confirm = ask('Please confirm', 'ok', 'boolean');
    return inputRequired({ inputRequests: { confirm }, requestState: await codec.mint('asked') });
  },
  async test_input_required_result_tampered_state({ mcpReq }) {
    if (mcpReq.requestState<string>() === 'sealed') return text('state-ok');
    const confirm = ask('Please confirm', 'ok', 'boolean');
    return inputRequired({ inputRequests: { confirm }, requestState: await codec.mint('sealed') });
  },
  async test_input_required_result_multiple_inputs({ mcpReq }) {
    const keys = ['user_name', 'greeting', 'client_roots'];
    const isComplete = keys.every((key) => inputResponse(mcpReq.inputResponses, key).kind !== 'missing');
    if (isComplete && mcpReq.requestState<string>() === 'asked') return text('All three are there.');
    return inputRequired({
      inputRequests: {
        user_name: ask('What is your name?', 'name'),
        greeting: sample('Generate a greeting', 50),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await codec.mint('asked'),
    });
  },
  async test_input_required_result_multi_round({ mcpReq }) {
    const state = mcpReq.requestState<string>();
    if (state === 'second' && inputResponse(mcpReq.inputResponses, 'step2').kind === 'elicit') {
      return text('Both steps were answered.');
    }
    if (state === 'first' && inputResponse(mcpReq.inputResponses, 'step1').kind === 'elicit') {
      const step2 = ask('Step 2: What is your favorite color?', 'color');
      return inputRequired({ inputRequests: { step2 }, requestState: await codec.mint('second') });
    }
    const step1 = ask('Step 1: What is your name?', 'name');
    return inputRequired({ inputRequests: { step1 }, requestState: await codec.mint('first') });
  },
  async test_input_required_result_capabilities({ mcpReq }) {
    const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
    const declared = envelope[CLIENT_CAPABILITIES_META_KEY];
    const has = (name: string) => typeof declared === 'object' && declared !== null && name in declared;
    return inputRequired({
      inputRequests: {
        ...(has('sampling') ? { sampled: sample('Say hello', 10) } : {}),
        ...(has('elicitation') ? { asked: ask('What is your name?', 'name') } : {}),
      },
    });
  },
  async test_missing_capability() {
    return inputRequired({ inputRequests: { sampled: sample('Say hello', 10) } });
  },
  async test_streaming_elicitation({ mcpReq }) {
    if (inputResponse(mcpReq.inputResponses, 'name').kind === 'elicit') return text('asked and answered');
    return inputRequired({ inputRequests: { name: ask('What is your name?', 'name') } });
  },
};

/** Tools that ask their client something as the revision without sessions does it: by an answer that is not the last. */
export function addInputTools(server: McpServer): void {
  for (const [name, run] of Object.entries(TOOLS)) {
    server.registerTool(name, { description: 'Asks before it answers.' }, async (context) => run(context));
  }
  server.registerPrompt(
    'test_input_required_result_prompt',
    { description: 'Asks before it answers.' },
    async ({ mcpReq }) => {
      const content = acceptedContent<{ context: unknown }>(mcpReq.inputResponses, 'user_context');
      if (typeof content?.context !== 'string') {
        const user_context = ask('What context should the prompt use?', 'context');
        return inputRequired({ inputRequests: { user_context } });
      }
      return { messages: [{ role: 'user', content: { type: 'text', text: content.context } }] };
    },
  );
}
