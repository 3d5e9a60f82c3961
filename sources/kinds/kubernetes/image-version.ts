import semver from 'semver';

const LONGEST = 255;

/**
 * The tag of an image reference when it is a full semantic version, a leading `v` allowed and kept. Tags such as
 * `latest`, `7` or `1.2` move from image to image, so they are no version; nor are tags with build metadata.
 */
export function readImageVersion(image: string | undefined): string | undefined {
  const tag = /:([\w][\w.-]*)(?:@[^/]*)?$/.exec(image ?? '')?.[1];
  if (tag === undefined || tag.length > LONGEST) return undefined;
  return semver.parse(tag.replace(/^v/, ''))?.version === tag.replace(/^v/, '') ? tag : undefined;
}
