import type { ScreenProps } from '../../routing/screen-props.ts'
import { DeliveryDetail } from './delivery-detail.tsx'
import { DeliveryList } from './delivery-list.tsx'

/** Shows the webhook endpoints with their deliveries, or one delivery. */
export function DeliveriesScreen({ id }: ScreenProps) {
  return id === null ? <DeliveryList /> : <DeliveryDetail key={id} id={id} />
}
