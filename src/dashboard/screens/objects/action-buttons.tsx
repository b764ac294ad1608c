import { useRef, useState } from 'preact/hooks'
import type { Event } from '../../../domain/events/events.ts'
import { EventLine } from '../../components/event-line.tsx'
import { ErrorNote } from '../../components/placeholders.tsx'
import { ObjectLink } from '../../components/values.tsx'
import {
  type ApiListPage,
  buildApiUrl,
  generateIdempotencyKey,
  get,
  RequestError,
  sendRequest,
} from '../../data/api-client.ts'
import type { ApiObject } from '../../data/history-scope.ts'
import { useAction } from '../../data/use-action.ts'
import { selectHeadlineEvents } from '../clocks/event-headlines.ts'
import { ActionPreview } from './action-effect.tsx'
import type { ObjectAction } from './object-actions.ts'

interface ActionButtonsProps {
  readonly object: ApiObject
  readonly actions: readonly ObjectAction[]
  readonly onDone: () => void
}

/** Maximum number of events that are read to find the events of the action. */
const MAX_EVENTS = 50

/** The HTTP statuses of errors that the server stores with the idempotency key. */
const STORED_ERRORS = [400, 402]
const HINTS: Readonly<Record<string, string>> = {
  idempotency_key_reused: 'The first request was executed. Close this dialog to see its result.',
}

/** Shows a button for each action that the state of the object allows, its confirmation, and the events that it caused. */
export function ActionButtons({ object, actions, onDone }: ActionButtonsProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const outcome = useRef<HTMLDivElement>(null)
  const [chosen, setChosen] = useState<ObjectAction | null>(null)
  const [entered, setEntered] = useState('')
  const key = useRef('')
  // Keep the object from the time when the dialog was opened. After a lost response, a new state of the object must not
  // change the repeated request.
  const confirmed = useRef(object)
  const { isRunning, result, error, run, reset } = useAction(
    async (action: ObjectAction, body: object | undefined) => {
      const changes = await runAction(action, confirmed.current, { body, key: key.current }).catch(
        (cause: unknown) => {
          // The server returns stored errors again for the same key, so a new key is needed. After a lost response, and
          // while the first request is still running, the same key lets the server execute the change once.
          if (cause instanceof RequestError && STORED_ERRORS.includes(cause.status))
            key.current = generateIdempotencyKey()
          throw cause
        },
      )
      onDone()
      if (dialog.current?.open) {
        dialog.current.close()
        // Move the focus, because the button may disappear with the new state of the object.
        outcome.current?.focus()
      }
      return changes
    },
  )
  const open = (action: ObjectAction) => {
    if (isRunning) return
    reset()
    key.current = generateIdempotencyKey()
    confirmed.current = object
    setEntered(String(action.parameter?.initial?.(object) ?? ''))
    setChosen(action)
    dialog.current?.showModal()
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (chosen !== null) run(chosen, chosen.body?.(confirmed.current, entered))
  }
  const effect = /\D/.test(entered) ? undefined : chosen?.effect?.(confirmed.current, entered)
  const note = error !== null && <ErrorNote error={error} hint={HINTS[error.code] ?? null} />
  const offered = actions.filter(({ isOffered = () => true }) => isOffered(object))
  return (
    <div class="stack tight">
      {offered.length > 0 && (
        <div class="row">
          {offered.map((action) => (
            <button key={action.label} type="button" aria-disabled={isRunning} onClick={() => open(action)}>
              {action.label}
            </button>
          ))}
        </div>
      )}
      <dialog ref={dialog} class="panel" aria-label={chosen?.label} onClose={() => setChosen(null)}>
        {chosen !== null && (
          <form class="stack" onSubmit={submit}>
            <h2>{chosen.label}</h2>
            <p>{chosen.confirmation(confirmed.current, entered)}</p>
            {chosen.parameter !== undefined && (
              <label class="stack filter">
                <span class="quiet small">{chosen.parameter.label}</span>
                <input
                  {...(chosen.parameter.isText
                    ? { required: true }
                    : { inputMode: 'numeric', pattern: '[0-9]*' })}
                  autocomplete="off"
                  value={entered}
                  onInput={({ currentTarget }) => setEntered(currentTarget.value)}
                />
              </label>
            )}
            {effect !== undefined && <ActionPreview effect={effect} />}
            {note}
            <div class="row">
              <button type="submit" class="primary" aria-disabled={isRunning}>
                Confirm
              </button>
              <button type="button" onClick={() => dialog.current?.close()}>
                Close
              </button>
            </div>
          </form>
        )}
      </dialog>
      {chosen === null && note}
      <div ref={outcome} role="status" tabIndex={-1} aria-label="Result">
        {result?.map(({ id, event }) => (
          <p key={id}>
            {event === null ? <ObjectLink id={id} /> : <EventLine {...event} object={event.data.object} />}
          </p>
        ))}
      </div>
    </div>
  )
}

/** An event that an action caused, or an object that it changed without an event. */
interface Change {
  readonly id: string
  readonly event: Event | null
}

async function runAction(
  { path, events: query }: ObjectAction,
  object: ApiObject,
  { body = {}, key }: { readonly body: object | undefined; readonly key: string },
): Promise<readonly Change[]> {
  const response = await sendRequest('POST', buildApiUrl(path(object)), { body, idempotencyKey: key })
  const { headers } = response
  // A repeated request has the response of the original request, to which the events refer.
  const own = headers.get('Original-Request') ?? headers.get('Request-Id')
  // The change is complete. An error while reading the events must not make the user repeat the change.
  const { data } = await get<ApiListPage<Event>>('/v1/events', {
    limit: MAX_EVENTS,
    ...query?.(object),
  }).catch(() => ({ data: [] }))
  const events = data.toReversed()
  const shown =
    query === undefined ? events.filter(({ request: cause }) => cause?.id === own) : headlinesOf(events)
  if (shown.length > 0) return shown.map((event) => ({ id: event.id, event }))
  const changed: Partial<ApiListPage<ApiObject> & ApiObject> = await response.json().catch(() => ({}))
  const ids = changed.data?.map(({ id }) => id) ?? [changed.id ?? object.id]
  return ids.map((id) => ({ id, event: null }))
}

/** Returns the events that best summarize the events at each time. */
function headlinesOf(events: readonly Event[]): Event[] {
  return [...Map.groupBy(events, ({ created }) => created).values()].flatMap(selectHeadlineEvents)
}
