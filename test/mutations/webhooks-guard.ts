import { type Mutation, mutationsOf } from './mutation.ts'

/** Mutations of the rules on blocked addresses. */
export const guardMutations: readonly Mutation[] = [
  ...mutationsOf({ rule: 'webhooks 13', file: 'src/webhooks/ssrf-guard.ts' }, [
    ['loopback is public', 'loopback: [...LOOPBACK,', 'loopback: [', '127'],
    ['NAT64 is public', "NAT64: ['64:ff9b::/96',", 'NAT64: [', '64:ff9b'],
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
  ...mutationsOf(
    { rule: 'webhooks 13', file: 'src/webhooks/send.ts', test: 'test/webhooks/send.failures.test.ts' },
    [
      [
        'literal addresses are not checked when sending',
        'guard.findProblem(url)',
        'null',
        'does not connect to a forbidden literal address',
      ],
      [
        'names are not checked when connecting',
        'auth, agent, lookup }',
        'auth, agent }',
        'checks the same resolved address',
      ],
    ],
  ),
  ...mutationsOf(
    {
      rule: 'webhooks 13',
      file: 'src/api/operations/webhook-endpoints.ts',
      test: 'test/api/operations/events.resending.test.ts',
    },
    [
      [
        'endpoint URLs are not checked',
        'target ? collectValidationErrors(',
        'false ? collectValidationErrors(',
        'rejects a webhook endpoint with a blocked URL',
      ],
    ],
  ),
  ...mutationsOf({ rule: 'webhooks 13', file: 'commands/serve.ts' }, [
    [
      'an exposed server sends to any address',
      "flags['public-webhooks-only'] || isExposed",
      "flags['public-webhooks-only']",
      'an exposed server sends no webhooks to private addresses',
    ],
  ]),
]
