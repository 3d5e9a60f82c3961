import { createToolsContribution } from '../../../cli/proxy/tools/create-tools-contribution.ts';
import { startTestProxy } from '../../cli/proxy/start-test-proxy.ts';
import { reportHeld } from './report-held.ts';

/** The proxy of the measurement, as a process of its own. Arguments: URL of the server, `filtered` for a tool filter. */
const [target = '', kind] = process.argv.slice(2);
const proxy = await startTestProxy({
  target,
  plan: kind === 'filtered' ? { tools: { allow: ['echo'] } } : {},
  contributions: (plan) => [createToolsContribution(plan)],
});
reportHeld(proxy.port);
