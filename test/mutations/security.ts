import { type Mutation, mutationsOf } from './mutation.ts'

const HOSTS = 'test/daemon/host-guard.test.ts'
const FILES = {
  rule: 'security 5',
  file: 'src/store/disk/private-file.ts',
  test: 'test/store/disk/private-file.test.ts',
}
const LOG = { rule: 'security 16', file: 'src/daemon/log.ts', test: 'test/daemon/log.test.ts' }

/** The rules of .github/SECURITY.md. */
export const security: readonly Mutation[] = [
  ...mutationsOf({ rule: 'security 1', file: 'src/daemon/host-guard.ts', test: HOSTS }, [
    ['any host will do', 'allowed.has(host)', 'true', 'is refused by both listeners'],
    [
      'the host of a request line is not seen',
      'allowed.has(target)',
      'true',
      'a request to http://evil.test',
    ],
    ['a URL may be of any length', 'url.length <= MAX_URL_CHARACTERS', 'true', 'a longer one is 414'],
    ['a second host is not seen', 'countHosts(request.rawHeaders) === 1', 'true', '127.0.0.1:PORT|evil.test'],
  ]),
  ...mutationsOf({ rule: 'security 1', file: 'src/daemon/pages-app.ts', test: HOSTS }, [
    ['the pages answer any host', 'checkHost(ctx.req, options.hosts)', '', 'is refused by both listeners'],
  ]),
  ...mutationsOf({ rule: 'security 2', file: 'src/daemon/api-app.ts', test: HOSTS }, [
    ['the API answers any origin', 'checkOrigin(ctx.req)', '', 'is refused by the API'],
  ]),
  ...mutationsOf(
    { rule: 'security 3', file: 'src/cli/serve/listen-host.ts', test: 'test/cli/serve/listen-host.test.ts' },
    [
      [
        'others are answered without being asked for',
        'if (!isExposed)',
        'if (false)',
        'needs --dangerously-expose',
      ],
    ],
  ),
  ...mutationsOf({ rule: 'security 4', file: 'src/api/core/auth.ts', test: 'test/api/core/auth.test.ts' }, [
    ['a live key is taken', 'LIVE_KEY.test(key)', 'false', 'a live key is refused'],
  ]),
  ...mutationsOf(
    { rule: 'security 4', file: 'src/api/core/auth.ts', test: 'test/api/operations/api-keys.test.ts' },
    [['keys are kept as they are', "hash('sha256', key, 'hex')", 'key', 'it is kept nowhere']],
  ),
  ...mutationsOf({ ...FILES, file: 'src/store/disk/planted-file.ts' }, [
    ['links are followed', 'stats.isSymbolicLink()', 'false', 'a symbolic link is refused'],
    ['files of others are taken', 'uid === ownUser', 'true', 'the file of another user is refused'],
  ]),
  ...mutationsOf({ ...FILES, test: 'test/daemon/credentials.test.ts' }, [
    [
      'others may read the files',
      'PRIVATE_FILE_MODE = 0o600',
      'PRIVATE_FILE_MODE = 0o644',
      'only their owner may read the file',
    ],
    [
      'others may look into the folder',
      'PRIVATE_FOLDER_MODE = 0o700',
      'PRIVATE_FOLDER_MODE = 0o755',
      'only their owner may read the file',
    ],
  ]),
  ...mutationsOf(
    { rule: 'security 6', file: 'src/store/file/lock.ts', test: 'test/store/file/lock.test.ts' },
    [['nothing is locked', 'BEGIN EXCLUSIVE', 'BEGIN DEFERRED', 'another process is refused']],
  ),
  ...mutationsOf(
    { rule: 'security 7', file: 'src/domain/card-reading.ts', test: 'test/scenarios/canary.test.ts' },
    [['the whole number is kept', 'known.number.slice(-4)', 'known.number', 'stay nowhere']],
  ),
  ...mutationsOf(
    { rule: 'security 8', file: 'src/domain/sanitize.ts', test: 'test/domain/sanitize.test.ts' },
    [['nothing is made harmless', 'text.replace(UNSAFE, escapeUnits)', 'text', 'becomes a visible escape']],
  ),
  ...mutationsOf({ rule: 'security 9', file: 'src/pages/forms/http.ts', test: 'test/pages/routes.test.ts' }, [
    [
      'pages may load from their own origin',
      "default-src 'none'",
      "default-src 'self'",
      'every page forbids',
    ],
    ['pages may be framed', "frame-ancestors 'none'", "frame-ancestors 'self'", 'every page forbids'],
  ]),
  ...mutationsOf(
    { rule: 'security 10', file: 'src/pages/view/return-url.ts', test: 'test/pages/view/return-url.test.ts' },
    [
      [
        'buyers are sent to any scheme',
        'return isWeb &&',
        'return true &&',
        'nobody is sent anywhere but to the web',
      ],
      ['credentials are taken', "username === '' &&", 'true &&', 'nobody is sent anywhere but to the web'],
    ],
  ),
  ...mutationsOf(
    {
      rule: 'security 11',
      file: 'src/pages/forms/submission.ts',
      test: 'test/pages/forms/submission.test.ts',
    },
    [['a form is good for more than once', 'if (used !== null)', 'if (false)', 'a declined form sent again']],
  ),
  ...mutationsOf(
    { rule: 'security 12', file: 'src/pages/markup/html.ts', test: 'test/pages/markup/html.test.ts' },
    [['text is markup', 'SPECIAL.test(text) ?', 'false ?', 'text is escaped, markup is not']],
  ),
  ...mutationsOf({ rule: 'security 13', file: 'src/daemon/listen.ts', test: 'test/daemon/listen.test.ts' }, [
    [
      'slow clients are never cut off',
      '...SERVER_LIMITS, ...address.limits',
      '...{}',
      'a client that never ends its',
    ],
    [
      'there may be any number of connections',
      'server.maxConnections = maxConnections',
      '',
      'one connection more than there may be',
    ],
  ]),
  ...mutationsOf(
    { rule: 'security 14', file: 'src/daemon/request-body.ts', test: 'test/daemon/request-body.test.ts' },
    [['bodies may be larger', 'MAX_BODY_BYTES = 256 *', 'MAX_BODY_BYTES = 512 *', 'one byte more is 413']],
  ),
  ...mutationsOf(
    { rule: 'security 14', file: 'src/api/core/execute.ts', test: 'test/api/core/execute.test.ts' },
    [
      ['bodies may be deeper', 'MAX_JSON_DEPTH = 32', 'MAX_JSON_DEPTH = 33', 'and one of 33 is not'],
      [
        'bodies may hold more',
        'MAX_JSON_VALUES = 2_000',
        'MAX_JSON_VALUES = 2_001',
        'a body of absurd depth or width',
      ],
      [
        'a key that is dangerous is taken',
        "['__proto__', 'constructor',",
        "['__proto__',",
        'the key constructor is refused',
      ],
    ],
  ),
  ...mutationsOf(
    { rule: 'security 15', file: 'src/api/schema/schema.ts', test: 'test/api/schema/validate.test.ts' },
    [
      [
        'a parameter is judged by a pattern',
        "format: 'plain-text', minLength",
        "format: 'plain-text', pattern: '^(a+)+$', minLength",
        'parameters are judged by our own',
      ],
      [
        'a format is one of ajv',
        "format: 'email',",
        "format: 'idn-email',",
        'parameters are judged by our own',
      ],
    ],
  ),
  ...mutationsOf(LOG, [
    ['cards are logged', 'message: maskSecrets(message)', 'message', 'a card number is masked'],
    [
      'an entry may be several lines',
      'sanitizeText(print(masked(entry)))',
      'print(masked(entry))',
      'cannot touch the terminal',
    ],
  ]),
  ...mutationsOf(
    { rule: 'security 17', file: 'src/daemon/error-handler.ts', test: 'test/daemon/api-app.errors.test.ts' },
    [
      [
        'the inside of a bug is told',
        'isExpected ? limited(ctx, error, options) : internalError()',
        'error',
        '500 internal_error can be provoked',
      ],
    ],
  ),
]
