import PluginAPI
import Synchronization

/// Finds samples and data sets of a lab, in the order a call wants.
///
/// What was found is kept for the next pages of the same search.
final class SimulatedQueries: Sendable {
  private struct Kept {
    var key: String
    var found: [Int32]
  }
  private let kept = Mutex<[Kept]>([])

  /// A page of what fits.
  struct Page {
    var places: [Int]
    var totalCount: Int
  }

  /// Finds a page.
  ///
  /// - Parameter version: Differs after each change of the lab.
  func page(
    _ kind: SimulatedKind, _ criteria: Value, _ options: Value, _ view: SimulatedView, version: String
  ) -> Page {
    var (from, through) = (Int.min, Int.max)
    let whole = SimulatedCriterion(criteria, of: kind == .sample ? "Sample" : "DataSet")
    let filter = whole.withoutDates { match in
      from = max(from, match.from)
      through = min(through, match.through)
    }
    let isByDate = options["sort"]["sortings"].list?.first?["field"].text == "MODIFICATION_DATE"
    let isDescending = options["sort"]["sortings"].list?.first?["order"]["asc"].bool == false
    let found = all(kind, filter, criteria, view, version: version, isByDate: isByDate || from != .min)
    // Ordered by date, so what fits is one piece.
    var (low, high) = (0, found.count)
    if from != .min { low = found.firstPlace { view.modified($0) >= from } }
    if through != .max { high = found.firstPlace { view.modified($0) > through } }
    let total = max(0, high - low)
    let first = min(max(0, options["from"].integer ?? 0), total)
    let last = min(total, first + max(0, options["count"].integer ?? total))
    let places = (first..<max(first, last)).map { found[isDescending ? high - 1 - $0 : low + $0] }
    return Page(places: places, totalCount: total)
  }

  private func all(
    _ kind: SimulatedKind, _ filter: SimulatedCriterion, _ criteria: Value, _ view: SimulatedView, version: String,
    isByDate: Bool
  ) -> SimulatedFound {
    if let lab = view.untouchedLab {
      let step = kind == .dataSet ? 10 : 1
      if case .always = filter { return .every(.every(step: step, from: 0, below: lab.count)) }
      if kind == .sample, let code = filter.onlyType {
        guard let category = lab.categories.firstIndex(where: { $0.permID == code }) else { return .list([]) }
        return .every(lab.members(of: category))
      }
    }
    let key = "\(kind.rawValue) \(version) \(view.hidden.sorted()) \(isByDate) \(filter)"
    if let known = kept.withLock({ $0.first { $0.key == key }?.found }) { return .list(known) }
    var found: [Int32] = []
    for index in 0..<view.count where view.fits(index, kind, filter) { found.append(Int32(index)) }
    if isByDate {
      let dates = found.map { view.modified(Int($0)) }
      if !zip(dates, dates.dropFirst()).allSatisfy({ $0 <= $1 }) {
        found = zip(dates, found).sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.1)
      }
    }
    kept.withLock { kept in
      if kept.count > 5 { kept.removeFirst() }
      kept.append(Kept(key: key, found: found))
    }
    return .list(found)
  }
}

/// Places that were found, in order.
enum SimulatedFound {
  case every(SimulatedIndexes)
  case list([Int32])

  var count: Int {
    switch self {
    case .every(let indexes): indexes.count
    case .list(let list): list.count
    }
  }

  subscript(position: Int) -> Int {
    switch self {
    case .every(let indexes): indexes[position]
    case .list(let list): Int(list[position])
    }
  }

  /// The first position from which on something holds.
  func firstPlace(_ holds: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension SimulatedView {
  /// When the entity at a place was changed last.
  func modified(_ index: Int) -> Int {
    if let change = changes.modified[index] { return change.at }
    return index < lab.count ? lab.modified(index) : changes.added[index - lab.count].modified
  }

  /// Whether there is an object of that kind at a place, and it fits.
  func fits(_ index: Int, _ kind: SimulatedKind, _ filter: SimulatedCriterion) -> Bool {
    if kind == .dataSet, index % 10 != 0 { return false }
    if case .always = filter, hidden.isEmpty, lab is PlainLab { return changes.deleted[index] == nil }
    guard let entity = entity(index) else { return false }
    if kind == .sample, entity.native.kind != .sample { return false }
    let own = subject(of: entity)
    if kind == .sample { return filter.holds(for: own) { related($0, entity) } }
    var dataSet = own
    (dataSet.code, dataSet.permID) = (SimulatedDataSet.code(index), SimulatedDataSet.code(index))
    dataSet.identifier = dataSet.code
    return filter.holds(for: dataSet) { relation in
      switch relation {
      case .sample: [own]
      case .type: [SimulatedSubject(code: "RAW_DATA", permID: "RAW_DATA")]
      default: related(relation, entity)
      }
    }
  }

  func subject(of entity: SimulatedEntity) -> SimulatedSubject {
    let properties = Dictionary(
      entity.properties.map { ($0.key, $0.value ?? "") }, uniquingKeysWith: { first, _ in first })
    return SimulatedSubject(
      code: entity.native.code, permID: entity.native.permID, identifier: nativeIdentifier(of: entity),
      modified: entity.modified, registered: entity.registered, properties: properties,
      texts: [entity.header, entity.summary] + properties.values)
  }

  func nativeIdentifier(of entity: SimulatedEntity) -> String {
    "\(lab.frame.identifier(ofProject: lab.frame.experiments[entity.native.experiment].project))/\(entity.native.code)"
  }

  private func related(_ relation: SimulatedCriterion.Relation, _ entity: SimulatedEntity) -> [SimulatedSubject] {
    let frame = lab.frame
    let experiment = frame.experiments[entity.native.experiment]
    let project = frame.projects[experiment.project]
    switch relation {
    case .type: return [SimulatedSubject(code: entity.native.typeCode, permID: entity.native.typeCode)]
    case .space: return [SimulatedSubject(code: frame.spaces[project.space], permID: frame.spaces[project.space])]
    case .project:
      return [
        SimulatedSubject(
          code: project.code, permID: project.permID, identifier: frame.identifier(ofProject: experiment.project))
      ]
    case .experiment:
      return [
        SimulatedSubject(
          code: experiment.code, permID: experiment.permID,
          identifier: frame.identifier(ofExperiment: entity.native.experiment))
      ]
    case .sample: return []
    case .parents: return entity.native.parents.compactMap { self.entity($0).map { subject(of: $0) } }
    case .children: return entity.native.children.compactMap { self.entity($0).map { subject(of: $0) } }
    }
  }
}
