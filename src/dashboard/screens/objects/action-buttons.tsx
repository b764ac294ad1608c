import { useRef, useState } from 'preact/hooks'
import type { Event } from '../../../domain/events/events.ts'
import { EventLine } from '../../components/event-line.tsx'
import { ObjectLink } from '../../components/links.tsx'
import { ErrorNote } from '../../components/placeholders.tsx'
import { apiUrl, get, type Page, request } from '../../data/api-client.ts'
import type { ApiObject } from '../../data/history-scope.ts'
import { useAction } from '../../data/use-action.ts'
import type { ObjectAction } from './object-actions.ts'

interface ActionButtonsProps {
  readonly object: ApiObject
  readonly actions: readonly ObjectAction[]
  readonly onDone: () => void
}

/** Maximum number of events that are read to find the events of the action. */
const MAX_EVENTS = 50

/** Shows a button for each action that the state of the object allows, its confirmation, and the events that it caused. */
export function ActionButtons({ object, actions, onDone }: ActionButtonsProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const outcome = useRef<HTMLDivElement>(null)
  const [chosen, setChosen] = useState<ObjectAction | null>(null)
  const { isRunning, result, error, run, reset } = useAction(
    async (action: ObjectAction, entered: string) => {
      const changes = await runAction(action, object, entered)
      onDone()
      if (dialog.current?.open) {
        dialog.current.close()
        // The button may disappear with the new state of the object.
        outcome.current?.focus()
      }
      return changes
    },
  )
  const open = (action: ObjectAction) => {
    if (isRunning) return
    reset()
    setChosen(action)
    dialog.current?.showModal()
  }
  const submit = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const entered = new FormData(event.currentTarget).get('parameter')
    if (chosen !== null) run(chosen, String(entered ?? ''))
  }
  const note = error !== null && <ErrorNote error={error} />
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
            <p>{chosen.confirmation(object)}</p>
            {chosen.parameter !== undefined && (
              <label class="stack filter">
                <span class="quiet small">{chosen.parameter.label}</span>
                <input name="parameter" autocomplete="off" {...inputProps(chosen.parameter)} />
              </label>
            )}
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

function inputProps({ toValue }: NonNullable<ObjectAction['parameter']>) {
  return toValue === undefined ? ({ inputMode: 'numeric', pattern: '[0-9]*' } as const) : { required: true }
}

/** An event that an action caused, or an object that it changed without an event. */
interface Change {
  readonly id: string
  readonly event: Event | null
}

async function runAction(
  { path, body, parameter }: ObjectAction,
  object: ApiObject,
  entered: string,
): Promise<readonly Change[]> {
  const params = {
    ...body?.(object),
    ...(parameter && entered !== '' && { [parameter.name]: (parameter.toValue ?? Number)(entered) }),
  }
  const response = await request('POST', apiUrl(path(object)), { body: params })
  const own = response.headers.get('Request-Id')
  // The change is complete. An error in reading its result must not make the user repeat the change.
  const { data } = await get<Page<Event>>('/v1/events', { limit: MAX_EVENTS }).catch(() => ({ data: [] }))
  const events = data.filter((event) => event.request?.id === own).toReversed()
  if (events.length > 0) return events.map((event) => ({ id: event.id, event }))
  const changed: Partial<Page<ApiObject> & ApiObject> = await response.json().catch(() => ({}))
  const ids = changed.data?.map(({ id }) => id) ?? [changed.id ?? object.id]
  return ids.map((id) => ({ id, event: null }))
}
