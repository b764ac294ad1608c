import { type Mutation, mutationsOf } from './mutation.ts'

const FAILURES = { file: 'src/webhooks/send.ts', test: 'test/webhooks/send.failures.test.ts' }
const GUARD = { file: 'src/webhooks/ssrf-guard.ts', test: 'test/webhooks/ssrf-guard.test.ts' }

/** Where nothing is sent to. */
export const guard: readonly Mutation[] = [
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
    ['mapped IPv4 is public', 'mappedBy(address).length > 0', 'false', 'ffff'],
    [
      'metadata may be asked locally',
      'if (reached.some((one) => isIn(METADATA_LIST',
      'if (isPublicOnly && reached.some((one) => isIn(METADATA_LIST',
      '169.254.169.254',
    ],
    [
      'metadata may be asked through a translator',
      '[address, ...carriedBy(address)]',
      '[address]',
      '64:ff9b::a9fe:a9fe',
    ],
    ['its own ports are receivers', 'ownPorts.includes(port) &&', 'false &&', '127.0.0.1:4100'],
    ['nothing can be allowed', '!isPublicOnly || isIn(allowList, address)', '!isPublicOnly', '10.1.'],
    ['no setting is named', '${SETTING} ${address}.', '', '10.0.0.1'],
    [
      'what a name resolves to is not checked',
      'addressProblem(address, port) === null)',
      'true)',
      'a name that resolves to nothing allowed',
    ],
  ]),
  ...mutationsOf({ rule: 'webhooks 13', ...FAILURES }, [
    [
      'literal addresses are not checked when sending',
      'guard.problemOf(delivery.url)',
      'null',
      'an address that is not allowed',
    ],
    [
      'names are not checked when connecting',
      'allowH2: false, lookup })',
      'allowH2: false })',
      'a name is checked when it is connected to',
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
        'an endpoint may be made and moved anywhere',
        'target ? problemsOf(',
        'false ? problemsOf(',
        'is refused when an endpoint is made',
      ],
    ],
  ),
  ...mutationsOf({ rule: 'webhooks 13', file: 'commands/serve.ts', test: 'test/commands/serve.test.ts' }, [
    [
      'an exposed service sends anywhere',
      "flags['public-webhooks-only'] || isExposed",
      "flags['public-webhooks-only']",
      'a service that others may reach sends nothing',
    ],
  ]),
]
