import PluginAPI
import Synchronization

/// Searches for samples and data sets of a lab, with results in the order that a call requests.
///
/// The results are cached for further pages of the same search.
final class SimulatedQueries: Sendable {
  private struct Kept {
    var key: String
    var found: [Int32]
  }
  private let kept = Mutex<[Kept]>([])

  /// A page of matches.
  struct Page {
    var places: [Int]
    var totalCount: Int
  }

  /// Finds a page.
  ///
  /// - Parameters:
  ///   - version: A text that differs after each change of the lab.
  ///   - fault: The fault in the order or the limits of pages.
  ///   - turn: The number of the call, which determines the order of objects with the same time if nothing else does.
  func page(
    _ kind: SimulatedKind, _ criteria: Value, _ options: Value, _ view: SimulatedView, version: String,
    fault: SimulatorFault? = nil, turn: Int = 0
  ) -> Page {
    var (from, through) = (Int.min, Int.max)
    var permIDs: [SimulatedMatch] = []
    let whole = SimulatedCriterion(criteria, of: kind == .sample ? "Sample" : "DataSet")
    let filter = whole.withoutRanges { match in
      from = max(from, match.from)
      through = min(through, match.through)
    } permIDs: {
      permIDs.append($0)
    }
    let sortings = options["sort"]["sortings"].list ?? []
    let isByDate = sortings.first?["field"].text == "MODIFICATION_DATE"
    let isDescending = sortings.first?["order"]["asc"].bool == false
    let order: SimulatedOrder =
      isByDate && sortings.count > 1 ? .datesAndPermIDs : isByDate || from != .min || through != .max ? .dates : .none
    var found = all(kind, filter, view, version: version, order)
    // The results are ordered by date, so the matches are contiguous.
    var (low, high) = (0, found.count)
    if from != .min { low = found.firstPlace(in: low..<high) { view.modified($0) >= from } }
    if through != .max { high = found.firstPlace(in: low..<high) { view.modified($0) > through } }
    if order == .datesAndPermIDs, low < high, view.modified(found[low]) == view.modified(found[high - 1]) {
      // Those with one date are ordered by permId.
      for match in permIDs {
        let index = found.firstPlace(in: low..<high) {
          match.holds(for: view.permID(kind, $0)) == (match.range == .from)
        }
        if match.range == .from { low = index } else { high = index }
      }
    } else if !permIDs.isEmpty {
      let places = (low..<high).map { found[$0] }.filter { index in
        permIDs.allSatisfy { $0.holds(for: view.permID(kind, index)) }
      }
      found = .list(places.map { Int32($0) })
      (low, high) = (0, places.count)
    }
    let total = max(0, high - low)
    let isWhole = fault == .ignoresPaging
    let first = isWhole ? 0 : min(max(0, options["from"].integer ?? 0), total)
    let last = isWhole ? total : min(total, first + max(0, options["count"].integer ?? total))
    if fault == .unstableTies, sortings.count < 2 {
      let all = Self.withTiesTurned((low..<high).map { found[$0] }, view, by: turn)
      return Page(places: Array((isDescending ? all.reversed() : all)[first..<max(first, last)]), totalCount: total)
    }
    let places = (first..<max(first, last)).map { found[isDescending ? high - 1 - $0 : low + $0] }
    return Page(places: places, totalCount: total)
  }

  /// Returns indices in the order of their dates; those with the same date in a different order each time.
  private static func withTiesTurned(_ places: [Int], _ view: SimulatedView, by turn: Int) -> [Int] {
    var turned: [Int] = []
    var start = 0
    while start < places.count {
      let date = view.modified(places[start])
      let end = places[start...].firstIndex { view.modified($0) != date } ?? places.count
      let shift = turn * 7919 % (end - start)
      turned += places[(start + shift)..<end] + places[start..<(start + shift)]
      start = end
    }
    return turned
  }

  private func all(
    _ kind: SimulatedKind, _ filter: SimulatedCriterion, _ view: SimulatedView, version: String, _ order: SimulatedOrder
  ) -> SimulatedFound {
    var base: SimulatedIndexes?
    if view.hidden.isEmpty, let lab = view.lab as? PlainLab {
      base = lab.indexes(kind, filter)
      if view.changes.isEmpty, let base, order != .datesAndPermIDs || !lab.hasTies { return .every(base) }
    }
    let key = "\(kind.rawValue) \(version) \(view.hidden.sorted()) \(order) \(filter)"
    if let known = kept.withLock({ $0.first { $0.key == key }?.found }) { return .list(known) }
    var found: [Int32] = []
    if let base {
      for position in 0..<base.count where view.changes.deleted[base[position]] == nil {
        found.append(Int32(base[position]))
      }
    }
    for index in (base == nil ? 0 : view.lab.count)..<view.count where view.fits(index, kind, filter) {
      found.append(Int32(index))
    }
    switch order {
    case .none: break
    case .dates: found = view.orderedByDate(found) { _ in "" }
    case .datesAndPermIDs: found = view.orderedByDate(found) { view.permID(kind, $0) }
    }
    kept.withLock { kept in
      if kept.count > 5 { kept.removeFirst() }
      kept.append(Kept(key: key, found: found))
    }
    return .list(found)
  }
}

/// The order of the results of a search.
enum SimulatedOrder {
  case none, dates
  /// Those with one date in the order of their permIds, by their bytes.
  case datesAndPermIDs
}

extension PlainLab {
  /// Returns the indices of matches, if they are known without examining each entity.
  func indexes(_ kind: SimulatedKind, _ filter: SimulatedCriterion) -> SimulatedIndexes? {
    if case .always = filter { return .every(step: kind == .dataSet ? 10 : 1, from: 0, below: count) }
    guard kind == .sample, let code = filter.onlyType else { return nil }
    return categories.firstIndex { $0.permID == code }.map { members(of: $0) } ?? .list([])
  }
}

/// The indices of matches, in order.
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

  /// Returns the first position of a range from which on a condition holds; its end if there is none.
  func firstPlace(in range: Range<Int>, _ holds: (Int) -> Bool) -> Int {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension SimulatedView {
  /// Returns the time of the last change of the entity at an index.
  func modified(_ index: Int) -> Int {
    if let change = changes.modified[index] { return change.at }
    return index < lab.count ? lab.modified(index) : changes.added[index - lab.count].modified
  }

  /// Returns indices in the order of their last changes; those of one time in the order of their texts.
  func orderedByDate(_ places: [Int32], thenBy text: (Int) -> String) -> [Int32] {
    // A plain lab was filled in the order of its indices, so only entities changed since are out of order.
    let isFilledInOrder = (lab as? PlainLab).map { !$0.hasTies } ?? false
    let isOrdered = { (index: Int32) in
      isFilledInOrder && index < lab.count && changes.modified[Int(index)] == nil
    }
    let later = places.filter { !isOrdered($0) }.map { (modified(Int($0)), text(Int($0)), $0) }
    return places.filter(isOrdered) + later.sorted { $0 < $1 }.map(\.2)
  }

  /// Returns the permId of the sample at an index, or of its data set.
  func permID(_ kind: SimulatedKind, _ index: Int) -> String {
    if kind == .dataSet { return SimulatedDataSet.code(index) }
    return index < lab.count ? lab.nativePermID(index) : changes.added[index - lab.count].native.permID
  }

  /// Returns true if there is a matching object of a kind at an index.
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
    "\(frame.identifier(ofProject: frame.experiments[entity.native.experiment].project))/\(entity.native.code)"
  }

  private func related(_ relation: SimulatedCriterion.Relation, _ entity: SimulatedEntity) -> [SimulatedSubject] {
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
