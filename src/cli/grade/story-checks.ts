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
  /** The value of the last answer; null if it is unclear, such as an error. */
  value: Value
  /** The last answer, or null without one in the last check. */
  answer: AppAnswer | null
  /** The last value that was right. */
  right: Value
  /** The first wrong or unclear answer, or null. */
  wrong: { readonly step: StoryStep; readonly expected: Value; readonly actual: Value } | null
}

function createInquiry(question: Question, customer: StoryCustomer): Inquiry {
  const none = { value: null, answer: null, right: null, wrong: null }
  return { question, customer, timeline: [], hasReacted: false, ...none }
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
  /** The questions of which the app gave a clear answer. */
  const understood = new Set<Question>()
  /** The questions to which the app does not respond in time. */
  const silent = new Set<Question>()

  async function ask(inquiry: Inquiry): Promise<void> {
    const { question, customer } = inquiry
    const asked = { ...customer, now: story.now() }
    const { answer, value } = await askQuestion(run, question, config, asked)
    inquiry.answer = answer
    inquiry.value = value
    if (value !== null) understood.add(question)
    if (value) inquiry.hasReacted = true
  }

  /** Asks until every answer is right, or was wrong before, or the time is up. */
  async function askPatiently(isRight: (inquiry: Inquiry) => boolean): Promise<void> {
    const startedMs = run.nowMs()
    const isOver = () => run.nowMs() - startedMs >= PATIENCE_MS
    let open = inquiries.filter(({ wrong, question }) => wrong?.actual !== null && !silent.has(question))
    for (const one of inquiries) if (open.includes(one)) one.answer = null
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
      // Simple servers accept only a few connections at the same time.
      for (let first = 0; first < open.length; first += MAX_CONCURRENT) {
        const batch = open.slice(first, first + MAX_CONCURRENT)
        await Promise.all(batch.map(ask))
        const unclear = batch.filter(({ value }) => value === null)
        if (!isOver() || unclear.length === 0) continue
        // The first answers take so long only if the app does not respond.
        if (pauseMs === FIRST_PAUSE_MS) for (const { question } of unclear) silent.add(question)
        return
      }
      open = open.filter((one) => !isRight(one) && one.wrong === null)
      if (open.length === 0 || isOver() || run.app.hasCrashed()) return
      await abortableDelay(pauseMs, run.signal)
    }
  }

  /** Waits until the app has received every delivery, and compares its answers. `steps` are what happened, by role. */
  async function check(steps: Readonly<Record<string, StoryStep>>): Promise<void> {
    for (const customer of story.customers.slice(inquiries.length / Math.max(1, questions.length)))
      inquiries.push(...questions.map((question) => createInquiry(question, customer)))
    await run.quiescence.waitUntilQuiet()
    const truth = await readTruth(run)
    const expect = ({ question, customer }: Inquiry) => truth[question](customer.id)
    const isRight = (one: Inquiry) => one.value !== null && [null, one.value].includes(expect(one))
    await askPatiently(isRight)
    // The crash itself is a finding.
    if (run.app.hasCrashed()) return
    const day = `day ${Math.floor((story.now() - story.startedAt) / 86_400)}`.padEnd(7)
    for (const one of inquiries) {
      const { question, answer, value } = one
      if (answer === null) continue
      if (!understood.has(question)) throw createAnswerError(question, answer)
      const step = steps[one.customer.role]
      if (one.wrong !== null || (step === undefined && isRight(one))) continue
      const [text] = step ?? NOTHING
      counts[question] += 1
      one.timeline.push(
        `${day} ${text}: ${question} ${value ?? 'unclear'}${isRight(one) ? '' : `, expected ${expect(one) ?? 'any'}`}`,
      )
      if (isRight(one)) one.right = value
      else one.wrong = { step: step ?? NOTHING, expected: expect(one), actual: value }
    }
  }

  return {
    check,
    /** The number of comparisons by question. */
    counts,
    inquiries: inquiries as readonly Inquiry[],
  }
}
