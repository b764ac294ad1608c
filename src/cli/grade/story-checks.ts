import { abortableDelay } from '../../client/timing.ts'
import { type AppAnswer, askQuestion, createAnswerError, QUESTIONS, type Question } from './app-answers.ts'
import type { GradeConfig } from './grade-config.ts'
import { readTruth, type Story, type StoryCustomer } from './story.ts'

/** Something that happened to a customer at the service, with the usual cause of a wrong answer after it, and its fix. */
export type StoryStep = readonly [text: string, cause: string, fix: string]

type Value = number | boolean | null

/** A question about a customer, and what the app answered so far. */
export interface Inquiry {
  readonly question: Question
  readonly customer: StoryCustomer
  readonly timeline: string[]
  /** Whether the app ever gave access or counted money. */
  hasReacted: boolean
  value: Value
  /** The last answer, or null before the first. */
  answer: AppAnswer | null
  /** The last value that was right. */
  right: Value
  /** The first wrong answer, or null. */
  wrong: { readonly step: StoryStep; readonly expected: Value; readonly actual: Value } | null
}

/** The wait for the app's background work. */
const PATIENCE_MS = 5000
const MAX_CONCURRENT = 4
const FIRST_PAUSE_MS = 20
const MAX_PAUSE_MS = 400
/** The step of a customer to whom nothing happened. */
const NOTHING: StoryStep = [
  'nothing happened to this customer',
  'The answer changes without an event of this customer.',
  'Change only the customer in data.object.customer of an event.',
]

/** Creates the checks of a story, which compare the answers of the app with the truth after each step. */
export function createStoryChecks(story: Story, config: GradeConfig) {
  const { run } = story
  const questions = QUESTIONS.filter((name) => config[name] !== undefined)
  const inquiries: Inquiry[] = []
  const counts = { access: 0, paid: 0 }

  async function ask(inquiry: Inquiry): Promise<void> {
    const { question, customer } = inquiry
    const asked = { ...customer, now: story.now() }
    const { answer, value } = await askQuestion(run, question, config, asked)
    inquiry.answer = answer
    inquiry.value = value
    if (inquiry.value) inquiry.hasReacted = true
  }

  /** Asks until every answer is right, or was wrong before, or the time is up. */
  async function askPatiently(isRight: (inquiry: Inquiry) => boolean): Promise<void> {
    const startedMs = run.nowMs()
    const isOver = () => run.nowMs() - startedMs >= PATIENCE_MS
    let open: readonly Inquiry[] = inquiries
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
      // Simple servers accept only a few connections at the same time.
      for (let first = 0; first < open.length; first += MAX_CONCURRENT) {
        const batch = open.slice(first, first + MAX_CONCURRENT)
        await Promise.all(batch.map(ask))
        if (isOver() && batch.some(({ value }) => value === null)) return
      }
      open = open.filter((one) => !isRight(one) && (one.wrong === null || one.value === null))
      if (open.length === 0 || isOver() || run.app.hasCrashed()) return
      await abortableDelay(pauseMs, run.signal)
    }
  }

  /** Waits until the app has received every delivery, and compares its answers. `steps` are what happened, by role. */
  async function check(steps: Readonly<Record<string, StoryStep>>): Promise<void> {
    for (const customer of story.customers.slice(inquiries.length / Math.max(1, questions.length)))
      for (const question of questions)
        inquiries.push({
          question,
          customer,
          timeline: [],
          hasReacted: false,
          value: null,
          answer: null,
          right: null,
          wrong: null,
        })
    await run.quiescence.waitUntilQuiet()
    const truth = await readTruth(run)
    const expect = ({ question, customer }: Inquiry) => truth[question](customer.id)
    const isRight = (one: Inquiry) => one.value !== null && [null, one.value].includes(expect(one))
    await askPatiently(isRight)
    // The crash itself is a finding.
    if (run.app.hasCrashed()) return
    const day = `day ${Math.floor((story.now() - story.startedAt) / 86_400)}`.padEnd(7)
    for (const one of inquiries) {
      if (one.value === null)
        throw createAnswerError(one.question, one.answer ?? { text: 'nothing', status: null })
      const step = steps[one.customer.role]
      if (one.wrong !== null || (step === undefined && isRight(one))) continue
      const [text] = step ?? NOTHING
      counts[one.question] += 1
      one.timeline.push(
        `${day} ${text}: ${one.question} ${one.value}${isRight(one) ? '' : `, expected ${expect(one)}`}`,
      )
      if (isRight(one)) one.right = one.value
      else one.wrong = { step: step ?? NOTHING, expected: expect(one), actual: one.value }
    }
  }

  return {
    check,
    /** The number of comparisons by question. */
    counts,
    inquiries: inquiries as readonly Inquiry[],
  }
}
