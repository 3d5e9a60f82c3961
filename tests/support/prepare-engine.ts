import { ensureTestImages, TEST_IMAGES } from './engine-images.ts';
import { startEngine } from './start-engine.ts';

// Run before the tests of tests/engine: an engine that answers, and the images they use.
const engine = await startEngine();
const { version } = await engine.describe();
console.log(`engine ${version} at ${engine.address}`);
await ensureTestImages(engine, ['base', 'node', 'python', 'go', 'busybox', 'gateway', 'mcp']);
console.log(`images ${Object.values(TEST_IMAGES).join(', ')}`);
