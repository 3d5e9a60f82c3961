import { EnvironmentOptions } from './environment-options.ts';
import { listOption, textOption } from './option-kinds.ts';

/** How an image is built or trusted, and whom our own requests trust. */
export abstract class ImageOptions extends EnvironmentOptions {
  runtimeImage = textOption('--runtime-image', 'base image for uvx://, npx:// and go://');
  runtimeAddPackage = listOption(
    '--runtime-add-package',
    'system package to install in the builder and the runtime stage; repeatable',
  );
  caCert = textOption('--ca-cert', 'PEM file of a certificate authority for builds');
  berthCaBundle = textOption(
    '--berth-ca-bundle',
    'PEM file of authorities that requests of berth itself trust (JWKS, OIDC discovery, webhooks)',
  );
  imageVerification = textOption(
    '--image-verification',
    'warn, enabled or disabled: whether the image must be signed as its entry says (default: warn)',
  );
}
