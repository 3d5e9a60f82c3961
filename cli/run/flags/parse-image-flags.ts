import type { RunOptionValues } from '../run-options.ts';
import { refuseFlag } from './flag-error.ts';
import { findCertificates } from './read-files.ts';
import { readList, readText, readWord } from './read-values.ts';
import type { RunFlags } from './run-flags.ts';
import { withoutAbsent } from './without-absent.ts';

const PACKAGE = /^[a-zA-Z0-9][a-zA-Z0-9._+:~-]{0,127}$/;

/** The flags of builds, of trust in images and of our own requests. @throws UsageError, BerthError */
export function parseImageFlags(
  options: RunOptionValues,
  cwd: string,
): Pick<RunFlags, 'build' | 'caBundle' | 'imageVerification'> {
  const addPackages = readList('--runtime-add-package', options.runtimeAddPackage);
  const wrong = addPackages?.find((name) => !PACKAGE.test(name));
  if (wrong !== undefined) {
    throw refuseFlag('--runtime-add-package', `"${wrong}" is not the name of a system package.`);
  }
  const runtimeImage = readText('--runtime-image', options.runtimeImage);
  if (runtimeImage !== undefined && /\s/.test(runtimeImage)) {
    throw refuseFlag('--runtime-image', `"${runtimeImage}" is not an image.`);
  }
  return withoutAbsent({
    build: withoutAbsent({
      runtimeImage,
      addPackages,
      caCert: findCertificates('--ca-cert', options.caCert, cwd),
    }),
    caBundle: findCertificates('--berth-ca-bundle', options.berthCaBundle, cwd),
    imageVerification: readWord('--image-verification', options.imageVerification, [
      'warn',
      'enabled',
      'disabled',
    ]),
  });
}
