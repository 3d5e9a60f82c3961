import { Option } from 'clipanion';

/** `--registry-url URL` of the thin clients of the admin API. */
export function registryUrlOption(): string | undefined {
  return Option.String('--registry-url', {
    description: 'where the registry service is (or BERTH_REGISTRY_URL; default: http://127.0.0.1:8080)',
  });
}

/** `--token-file FILE`: the access token is read from a file, so that it stands in no process list. */
export function tokenFileOption(): string | undefined {
  return Option.String('--token-file', {
    description: 'a file that holds the access token (or BERTH_REGISTRY_TOKEN holds the token)',
  });
}
