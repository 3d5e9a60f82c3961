/** Hosts of https URLs that lead into this machine or its network, however they are spelled. */
export const PRIVATE_HOSTS: readonly string[] = [
  '127.0.0.1',
  '10.0.0.1',
  '169.254.169.254',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '127.1',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:a9fe:a9fe]',
  '[fd00:ec2::254]',
];
