import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { listSteps } from '../../site/guides/list-steps.ts';
import { readGuides } from '../../site/guides/read-guide.ts';
import { Reader } from '../../site/guides/reader.ts';
import { ENGINE_PAGES } from '../../site/run-guides/engine-pages.ts';
import { describeStep, followStep, STEP_MS } from '../../site/run-guides/walk-page.ts';
import { CA_BUNDLE, ensureTestImages, openTestEngine, TEST_IMAGES } from '../../support/engine-images.ts';
import { provideNodeImage } from '../../support/provide-node-image.ts';
import { WALK_START_MS, waitForTurn } from '../../support/walk-services.ts';

const guides = readGuides(['run', 'clients']).filter(({ page }) => ENGINE_PAGES.includes(page));

/** Ports of the pages are fixed, as a reader sees them, and so is the name of the image packages are built on. */
const ends: (() => Promise<void>)[] = [];
beforeAll(async () => {
  const engine = await openTestEngine();
  await ensureTestImages(engine, ['node', 'gateway']);
  ends.push(await waitForTurn());
  ends.push(await provideNodeImage(engine));
}, WALK_START_MS);
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

describe.each(guides)('the guide $page', (guide) => {
  let reader: Reader;
  beforeAll(async () => {
    reader = new Reader({
      hasBerth: true,
      replaced: {},
      env: {
        BERTH_GATEWAY_IMAGE: TEST_IMAGES.gateway,
        BERTH_SECRETS_PASSWORD: 'guide',
        npm_config_loglevel: 'error',
      },
    });
    if (existsSync(CA_BUNDLE)) await reader.run(`berth config set ca-cert ${CA_BUNDLE}`, STEP_MS);
  });
  afterAll(async () => {
    await reader.run('berth rm --all; true', STEP_MS);
    // The image stays for the next page; the last one takes it away.
    if (guide === guides.at(-1)) await reader.run('berth prune', STEP_MS);
    await reader.close();
  }, STEP_MS);

  it.each(listSteps(guide).map((step) => [describeStep(guide.page, step), step] as const))(
    '%s',
    (_name, step) => followStep(reader, guide.page, step),
    STEP_MS,
  );
});
