import { type Mutation, mutationsOf } from './mutation.ts'

const FAILURES = { file: 'src/webhooks/send.ts', test: 'test/webhooks/send.failures.test.ts' }
const GUARD = { file: 'src/webhooks/ssrf-guard.ts', test: 'test/webhooks/ssrf-guard.test.ts' }

/** Where nothing is sent to. */
export const guardMutations: readonly Mutation[] = [
  ...mutationsOf({ rule: 'webhooks 13', ...GUARD }, [
    ['loopback is public', 'loopback: [...LOOPBACK,', 'loopback: [', '127'],
    ['private addresses are public', "'10.0.0.0/8', '172.16.0.0/12',", "'172.16.0.0/12',", '10.'],
    ['link-local is public', "'169.254.0.0/16', 'fe80::/10'", "'fe80::/10'", '169.254'],
    [
      'carrier-grade NAT is public',
      "'carrier-grade NAT': ['100.64.0.0/10']",
      "'carrier-grade NAT': []",
      '100.64',
    ],
    ['multicast is public', "multicast: ['224.0.0.0/4',", 'multicast: [', '224.'],
    ['documentation is public', "documentation: ['192.0.2.0/24',", 'documentation: [', '192.0.2'],
    ['NAT64 is public', "NAT64: ['64:ff9b::/96',", 'NAT64: [', '64:ff9b'],
    ['6to4 is public', "'6to4': ['2002::/16']", "'6to4': []", '2002:'],
    ['Teredo is public', "Teredo: ['2001::/32']", 'Teredo: []', '[2001::1]'],
    ['mapped IPv4 is public', 'mappedIpv4(address).length > 0', 'false', 'ffff'],
    [
      'metadata addresses are allowed locally',
      'if (reached.some((one) => isListed(METADATA_LIST',
      'if (isPublicOnly && reached.some((one) => isListed(METADATA_LIST',
      '169.254.169.254',
    ],
    [
      'metadata addresses are allowed through NAT64',
      '[address, ...embeddedIpv4(address)]',
      '[address]',
      '64:ff9b::a9fe:a9fe',
    ],
    ['its own ports are allowed', 'ownPorts.includes(port) &&', 'false &&', '127.0.0.1:4100'],
    ['nothing can be allowed', '!isPublicOnly || isListed(allowList, address)', '!isPublicOnly', '10.1.'],
    ['no setting is named', '${ALLOW_HINT} ${address}.', '', '10.0.0.1'],
    [
      'resolved addresses are not checked',
      'findAddressProblem(address, port) === null)',
      'true)',
      'lookup fails for a name without an allowed address',
    ],
  ]),
  ...mutationsOf({ rule: 'webhooks 13', ...FAILURES }, [
    [
      'literal addresses are not checked when sending',
      'guard.findProblem(delivery.url)',
      'null',
      'does not connect to a forbidden literal address',
    ],
    [
      'names are not checked when connecting',
      'client.agent, lookup })',
      'client.agent })',
      'checks the same resolved address',
    ],
  ]),
  ...mutationsOf(
    {
      rule: 'webhooks 13',
      file: 'src/api/operations/webhook-endpoints.ts',
      test: 'test/api/operations/events.resending.test.ts',
    },
    [
      [
        'endpoint URLs are not checked',
        'target ? toValidationErrors(',
        'false ? toValidationErrors(',
        'rejects a webhook endpoint with a blocked URL',
      ],
    ],
  ),
  ...mutationsOf({ rule: 'webhooks 13', file: 'commands/serve.ts', test: 'test/commands/serve.test.ts' }, [
    [
      'an exposed server sends to any address',
      "flags['public-webhooks-only'] || isExposed",
      "flags['public-webhooks-only']",
      'an exposed server sends no webhooks to private addresses',
    ],
  ]),
]
