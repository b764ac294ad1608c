import type { ComponentType } from 'preact'
import type { ScreenProps } from '../routing/screen-props.ts'
import { ClockScreen } from '../screens/clocks/clock-screen.tsx'
import { CustomersScreen } from '../screens/customers/customers-screen.tsx'
import { DeliveriesScreen } from '../screens/deliveries/deliveries-screen.tsx'
import { LiveScreen } from '../screens/live/live-screen.tsx'
import { ObjectScreen } from '../screens/objects/object-screen.tsx'
import { PaymentsScreen } from '../screens/payments/payments-screen.tsx'
import { RequestsScreen } from '../screens/requests/requests-screen.tsx'
import { ScenesScreen } from '../screens/scenes/scenes-screen.tsx'
import { SessionsScreen } from '../screens/sessions/sessions-screen.tsx'

/** A screen of the dashboard; its folder is the first segment of its URL. */
interface Screen {
  readonly folder: string
  readonly title: string
  readonly component: ComponentType<ScreenProps>
}

/** Adds the screen of an object to a list, for URLs such as `/payments/py_…`. */
function withObjects(List: ComponentType): ComponentType<ScreenProps> {
  return ({ id }) => (id === null ? <List /> : <ObjectScreen id={id} />)
}

/** Every screen, in the order of the navigation. */
export const SCREENS: readonly Screen[] = [
  { folder: 'live', title: 'Live', component: LiveScreen },
  { folder: 'payments', title: 'Payments', component: withObjects(PaymentsScreen) },
  { folder: 'customers', title: 'Customers', component: withObjects(CustomersScreen) },
  { folder: 'clocks', title: 'Clock lab', component: ClockScreen },
  { folder: 'webhooks', title: 'Webhooks', component: withObjects(DeliveriesScreen) },
  { folder: 'requests', title: 'Requests', component: withObjects(RequestsScreen) },
  { folder: 'scenes', title: 'Scenes', component: ScenesScreen },
  { folder: 'sessions', title: 'Sessions', component: SessionsScreen },
  { folder: 'objects', title: 'Objects', component: ObjectScreen },
]
