import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { formatCountWithNoun } from '../../../presentation/words.ts'
import { ObjectLink } from '../../components/links.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { objectName } from './advance-targets.ts'
import { textField } from './axis-events.ts'
import { type Lane, MERGED_LANE_ID } from './lanes.ts'

/** The e-mail addresses of the customers of the clock, by id. */
export const EmailsContext = createContext<ReadonlyMap<string, string>>(new Map())

/** Shows the subscription of a lane with its customer; nothing for events without a subscription. */
export function LaneTitle({ lane: { id, subscription } }: { readonly lane: Lane }) {
  const emails = useContext(EmailsContext)
  if (id === null) return null
  const email = emails.get(textField(subscription ?? {}, 'customer') ?? '')
  return (
    <span class="lane-title">
      <ObjectLink id={id}>
        <bdi>{subscription === null ? id : objectName(subscription)}</bdi>
      </ObjectLink>
      {email !== undefined && <bdi class="quiet">{email}</bdi>}
    </span>
  )
}

interface LaneNameProps {
  readonly lane: Lane
  readonly top: number
  /** Whether it is the only lane; without a subscription it then has no name. */
  readonly isOnly: boolean
}

/** Shows the name of a lane of the axis: its subscription with customer and status. */
export function LaneName({ lane, top, isOnly }: LaneNameProps) {
  const { id, subscription, count } = lane
  const status = textField(subscription ?? {}, 'status')
  const isGroup = id === null || id === MERGED_LANE_ID
  const title = id === null ? 'Without a subscription' : formatCountWithNoun(count, 'more subscription')
  if (id === null && isOnly) return null
  return (
    <p class="lane-name small" style={{ top: `${top}px` }}>
      {isGroup ? <span class="quiet">{title}</span> : <LaneTitle lane={lane} />}
      {!isGroup && status !== null && <StatusBadge status={status} />}
    </p>
  )
}
