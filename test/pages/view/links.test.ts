import { createPageLinks } from '../../../src/pages/view/links.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('links')

const SESSION = { object: 'payment_session', id: 'py_sess_1' } as const

const PATHS = `/at/sessions/py_sess_1
/at/sessions/py_sess_1/done
/at/sessions/py_sess_1/attempts/n1
/at/invoices/in_1
/at/3ds/py_1
/at/3ds/py_1/done`.split('\n')

function allLinks(chosen: string | null): string[] {
  const links = createPageLinks('https://pay.example/at/', chosen)
  return [
    ...[links.session(SESSION), links.session(SESSION, '/done'), links.session(SESSION, '/attempts/n1')],
    ...[links.invoice('in_1'), links.threeDSecure('py_1'), links.confirmationResult('py_1')],
  ]
}

test('returns paths below the checkout URL without a query', () => {
  assert.equal(allLinks(null), PATHS)
})

test('adds the chosen language to every link', () => {
  assert.equal(
    allLinks('de'),
    PATHS.map((path) => `${path}?lang=de`),
  )
})

test('combines the chosen language with other query parameters', () => {
  const page = (chosen: string | null, ...params: string[]) =>
    createPageLinks('http://127.0.0.1:4243', chosen).page('/x', ...params)
  assert.is(page(null), '/x')
  assert.is(page(null, 'again=1', 'developer'), '/x?again=1&developer')
  assert.is(page('ar', 'again=1', 'developer'), '/x?lang=ar&again=1&developer')
})

test.run()
