import { type Mutation, mutationsOf } from './mutation.ts'

const HOSTS = 'test/daemon/http/host-guard.test.ts'

/** Mutations of the rules 1 to 17 in .github/SECURITY.md. */
export const securityMutations: readonly Mutation[] = [
  ...mutationsOf({ rule: 'security 1', file: 'src/daemon/http/host-guard.ts' }, [
    ['any host is allowed', 'allowed.has(host)', 'true', 'both listeners reject Host'],
    [
      'the host of the request line is not checked',
      'allowed.has(target)',
      'true',
      'both listeners reject the absolute request target http://evil.test',
    ],
    ['URLs have no length limit', 'url.length <= MAX_URL_CHARACTERS', 'true', 'return 414 for a longer one'],
    [
      'a second Host header is not checked',
      'countHosts(request.rawHeaders) === 1',
      'true',
      '127.0.0.1:PORT|evil.test',
    ],
  ]),
  ...mutationsOf({ rule: 'security 1', file: 'src/daemon/http/pages-app.ts', test: HOSTS }, [
    [
      'the pages accept any host',
      'app.use(createHostGuard(options.hosts, checkFormOrigin))',
      '',
      'both listeners reject Host',
    ],
  ]),
  ...mutationsOf({ rule: 'security 2', file: 'src/daemon/http/api-app.ts', test: HOSTS }, [
    [
      'the API accepts any origin',
      'createHostGuard(options.hosts, checkOrigin)',
      'createHostGuard(options.hosts, () => {})',
      'the API rejects Origin',
    ],
  ]),
  ...mutationsOf({ rule: 'security 2', file: 'src/daemon/http/host-guard.ts' }, [
    [
      'any page with the origin of the API is accepted',
      "headers['sec-fetch-site'] === 'same-origin'",
      'true',
      'the API rejects Origin',
    ],
    [
      'pages of any origin are accepted',
      'URL.parse(origin)?.host === host',
      'true',
      'accepts a request of its own reference only',
    ],
  ]),
  ...mutationsOf({ rule: 'security 3', file: 'src/cli/serve/listen-host.ts' }, [
    [
      'the server is exposed without the flag',
      'if (!isExposed)',
      'if (false)',
      'requires --dangerously-expose',
    ],
  ]),
  ...mutationsOf({ rule: 'security 4', file: 'src/api/core/auth.ts' }, [
    ['a live key is accepted', 'LIVE_KEY.test(key)', 'false', 'rejects a live API key'],
  ]),
  ...mutationsOf(
    { rule: 'security 4', file: 'src/api/core/auth.ts', test: 'test/api/operations/api-keys.test.ts' },
    [['keys are stored in plain text', "hash('sha256', key, 'hex')", 'key', 'never stores it']],
  ),
  ...mutationsOf(
    {
      rule: 'security 5',
      file: 'src/store/disk/file-ownership.ts',
      test: 'test/store/disk/private-file.test.ts',
    },
    [
      [
        'links are followed',
        'stats.isSymbolicLink()',
        'false',
        'requireOwnFileIfExists rejects a symbolic link',
      ],
      [
        'files of other users are accepted',
        'uid === ownUser',
        'true',
        'requireOwnFileIfExists rejects the file of another user',
      ],
    ],
  ),
  ...mutationsOf(
    { rule: 'security 5', file: 'src/store/disk/private-file.ts', test: 'test/daemon/credentials.test.ts' },
    [
      [
        'other users can read the files',
        'PRIVATE_FILE_MODE = 0o600',
        'PRIVATE_FILE_MODE = 0o644',
        'creates the credentials file with mode 0600',
      ],
      [
        'other users can list the folder',
        'PRIVATE_FOLDER_MODE = 0o700',
        'PRIVATE_FOLDER_MODE = 0o755',
        'creates the credentials file with mode 0600',
      ],
    ],
  ),
  ...mutationsOf({ rule: 'security 6', file: 'src/store/file/lock.ts' }, [
    ['nothing is locked', 'BEGIN EXCLUSIVE', 'BEGIN DEFERRED', 'rejects a lock by another process'],
  ]),
  ...mutationsOf(
    {
      rule: 'security 7',
      file: 'src/domain/payments/card-authorization.ts',
      test: 'test/scenarios/secret-storage.test.ts',
    },
    [
      [
        'the whole card number is stored',
        'testCard.number.slice(-4)',
        'testCard.number',
        'stores and sends no card number',
      ],
    ],
  ),
  ...mutationsOf({ rule: 'security 8', file: 'src/domain/text/sanitize.ts' }, [
    [
      'control characters are not escaped',
      'text.replace(UNSAFE, escapeUnits)',
      'text',
      'escapes every unsafe character of a text',
    ],
  ]),
  ...mutationsOf(
    { rule: 'security 9', file: 'src/pages/forms/page-response.ts', test: 'test/pages/routes.test.ts' },
    [
      [
        'pages may load from their own origin',
        `"default-src 'none'",`,
        `"default-src 'self'",`,
        'sends security headers with every page',
      ],
      [
        'pages may be framed',
        "frame-ancestors 'none'",
        "frame-ancestors 'self'",
        'sends security headers with every page',
      ],
    ],
  ),
  ...mutationsOf({ rule: 'security 10', file: 'src/pages/view/return-url.ts' }, [
    [
      'customers are redirected to any URL scheme',
      'return isWeb &&',
      'return true &&',
      'returns null for a return_url with another scheme than http or https or with credentials',
    ],
    [
      'URLs with credentials are accepted',
      "username === '' &&",
      'true &&',
      'returns null for a return_url with another scheme than http or https or with credentials',
    ],
  ]),
  ...mutationsOf({ rule: 'security 11', file: 'src/pages/forms/form-submission.ts' }, [
    [
      'a form token can be used twice',
      'if (used !== null)',
      'if (false)',
      'returns the same decline when a form is submitted again',
    ],
  ]),
  ...mutationsOf({ rule: 'security 12', file: 'src/pages/markup/html.ts' }, [
    ['text is not escaped', 'SPECIAL.test(text) ?', 'false ?', 'escapes text but not nested markup'],
  ]),
  ...mutationsOf({ rule: 'security 13', file: 'src/daemon/http/http-listener.ts' }, [
    [
      'slow clients are not disconnected',
      '...HTTP_SERVER_LIMITS, ...options.limits',
      '...{}',
      'returns 408 to a client that never finishes its',
    ],
    [
      'there may be any number of connections',
      'server.maxConnections = maxConnections',
      '',
      'closes a connection above the connection limit',
    ],
  ]),
  ...mutationsOf({ rule: 'security 14', file: 'src/daemon/http/request-body.ts' }, [
    [
      'bodies may be larger',
      'MAX_BODY_BYTES = 256 *',
      'MAX_BODY_BYTES = 512 *',
      'returns 413 for one byte more',
    ],
  ]),
  ...mutationsOf(
    { rule: 'security 14', file: 'src/api/core/parse-params.ts', test: 'test/api/core/execute.test.ts' },
    [
      ['bodies may be deeper', 'MAX_JSON_DEPTH = 32', 'MAX_JSON_DEPTH = 33', 'and rejects one of 33'],
      [
        'bodies may hold more',
        'MAX_JSON_VALUES = 2_000',
        'MAX_JSON_VALUES = 2_001',
        'a body of extreme depth or width',
      ],
      ['dangerous keys are accepted', "keys.includes('__proto__')", 'false', 'rejects the key __proto__'],
    ],
  ),
  ...mutationsOf(
    { rule: 'security 15', file: 'src/domain/core/params.ts', test: 'test/api/schema/validate.test.ts' },
    [
      [
        'a parameter is judged by a pattern',
        "format: 'plain-text', minLength",
        "format: 'plain-text', pattern: '^(a+)+$', minLength",
        'parameter schemas use only linear checks',
      ],
      [
        'a format is one of ajv',
        "addressSchema('email',",
        "addressSchema('idn-email',",
        'parameter schemas use only linear checks',
      ],
    ],
  ),
  ...mutationsOf({ rule: 'security 16', file: 'src/daemon/system/log.ts' }, [
    ['cards are logged', 'message: maskSecretsAndCardNumbers(message)', 'message', 'masks card numbers'],
    [
      'an entry may be several lines',
      'escapeUnsafeCharacters(print(maskEntry(entry)))',
      'print(maskEntry(entry))',
      'from clients',
    ],
  ]),
  ...mutationsOf(
    {
      rule: 'security 17',
      file: 'src/daemon/http/error-handler.ts',
      test: 'test/daemon/http/api-app.errors.test.ts',
    },
    [
      [
        'internal errors expose their details',
        ': createInternalError()',
        ': error',
        'returns a complete error body with a documentation link for 500 internal_error',
      ],
    ],
  ),
]
