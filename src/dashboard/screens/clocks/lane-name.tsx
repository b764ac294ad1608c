import { formatCountWithNoun } from '../../../presentation/words.ts'
import { ObjectLink, StatusBadge } from '../../components/values.tsx'
import { textField } from './axis-events.ts'
import { type Lane, laneTitle, MERGED_LANE_ID } from './lanes.ts'

/** Shows the subscription of a lane with its customer; nothing for events without a subscription. */
export function LaneTitle({ lane }: { readonly lane: Lane }) {
  if (lane.id === null) return null
  return (
    <span class="row lane-title">
      <ObjectLink id={lane.id}>
        <bdi>{laneTitle(lane)}</bdi>
      </ObjectLink>
      {lane.email !== null && <bdi class="quiet">{lane.email}</bdi>}
    </span>
  )
}

/** Shows the name of a lane of the axis: its subscription with customer and status. */
export function LaneName({ lane, top }: { readonly lane: Lane; readonly top: number }) {
  const { id, subscription, count } = lane
  const status = textField(subscription ?? {}, 'status')
  const isGroup = id === null || id === MERGED_LANE_ID
  const title = id === null ? 'Without a subscription' : formatCountWithNoun(count, 'more subscription')
  return (
    <p class="row lane-name small" style={{ top: `${top}px` }}>
      {isGroup ? <span class="quiet">{title}</span> : <LaneTitle lane={lane} />}
      {!isGroup && status !== null && <StatusBadge status={status} />}
    </p>
  )
}
