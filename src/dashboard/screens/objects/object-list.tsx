import { RESOURCES, type ResourceName, resourceNamed } from '../../../api/resources/catalog.ts'
import { hasEvents } from '../../../domain/core/event-types.ts'
import { toWords } from '../../../presentation/words.ts'
import { fieldColumn } from '../../components/field-value.tsx'
import { FilterBar } from '../../components/filter-bar.tsx'
import { ListView } from '../../components/list-view.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { useFilters } from '../../data/use-filters.ts'
import { useList } from '../../data/use-list.ts'
import { DEFAULT_SANDBOX, useRoute } from '../../routing/router.ts'

// API keys have no screen, and the list of saved cards needs a customer.
const LISTED = RESOURCES.filter(({ name, listPath }) => name !== 'api_keys' && !listPath.includes(':'))
const DEFAULT: ResourceName = 'subscriptions'
/** Lists the objects of any type, with the columns of its table on a terminal. */
export function ObjectList() {
  const { values } = useFilters(['type'])
  const isDefault = useRoute().sandbox === DEFAULT_SANDBOX
  // Only the default sandbox has a list of sandboxes.
  const listed = LISTED.filter(({ name }) => isDefault || name !== 'sandboxes')
  const choices = listed.map(({ name }) => [name === DEFAULT ? '' : name, toWords(name)] as const)
  const resource = listed.find(({ name }) => name === values.type) ?? resourceNamed(DEFAULT)
  const { name, object, topic, listPath, columns } = resource
  const list = useList({
    ...{ path: `/v1/${listPath}`, query: {} },
    isRelevant: (entry) =>
      entry.object === object || (entry.object === 'event' && entry.type.startsWith(`${object}.`)),
    isPolled: !hasEvents(resource),
  })
  return (
    <div class="stack">
      <h1>Objects</h1>
      <FilterBar fields={[{ name: 'type', label: 'Type', choices, isScope: true }]} />
      <ListView
        {...{ list, noun: 'object', columns: columns.map(fieldColumn) }}
        empty={
          <EmptyState title={`No ${toWords(name).toLowerCase()} yet`} command={`paycli ${topic} --help`} />
        }
      />
    </div>
  )
}
