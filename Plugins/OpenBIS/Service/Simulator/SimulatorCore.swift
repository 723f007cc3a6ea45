import Glibc
import PluginAPI
import PluginServer
import Synchronization

/// The lab of a simulated server, its state, and its clock.
final class SimulatorCore: Sendable {
  let configuration: SimulatorConfiguration
  let lab: any SimulatedLab
  private let frameIndex: SimulatedFrameIndex
  let state: Mutex<SimulatorState>
  /// The address of the server, once it is known.
  let base = Mutex("")
  let queries = SimulatedQueries()

  init(_ configuration: SimulatorConfiguration) {
    self.configuration = configuration
    lab =
      configuration.shape == .plain
      ? PlainLab(
        entities: configuration.entities, categories: configuration.categories, importSize: configuration.importSize,
        seed: configuration.seed)
      : ListedLab.make(configuration.shape, seed: configuration.seed)
    frameIndex = SimulatedFrameIndex(lab.frame)
    state = Mutex(
      SimulatorState(
        users: configuration.users, rules: configuration.faults, refreshInterval: configuration.refreshInterval))
  }

  /// The clock, in milliseconds since 1970.
  var now: Int {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let offset = state.withLock { state in
      state.clockOffset + (state.has(.clockAhead) ? 600_000 : 0) - (state.has(.clockBehind) ? 600_000 : 0)
    }
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000 + offset
  }

  /// Returns the lab as a user currently sees it.
  func view(hidden: Set<String>) -> SimulatedView {
    let base = self.base.withLock { $0 }
    let now = self.now
    return state.withLock { state in
      var (hidden, changes) = (hidden, state.changes)
      let last = max(0, lab.frame.spaces.count - 1)
      if state.has(.rightsChange) { hidden.insert(lab.frame.spaces[last]) }
      if state.has(.movedProject), changes.movedProjects[0] == nil {
        changes.movedProjects[0] = (last, SimulatedTime.birth + lab.count + 1)
      }
      return SimulatedView(
        lab: lab, changes: changes, dialect: configuration.dialect, hidden: hidden, now: now, base: base,
        dataStoreBase: state.has(.dataStoreDown) ? "http://127.0.0.1:1" : base,
        dataStores: state.has(.twoDataStores) ? ["DSS1", "DSS2"] : configuration.dataStores,
        refreshInterval: state.refreshInterval, frameIndex: frameIndex, largeSize: configuration.largeSize)
    }
  }

  // MARK: Changes

  func modify(_ permIDs: [String]) {
    let (now, view) = (self.now, self.view(hidden: []))
    let found = permIDs.compactMap { permID in view.index(ofPermID: permID).map { ($0, view.entity($0)?.native.kind) } }
    state.withLock { state in
      state.change { changes in
        for (index, kind) in found {
          changes.modified[index] = ((changes.modified[index]?.count ?? 0) + 1, now)
          if let kind { changes.lastUpdate[kind] = now }
        }
      }
    }
  }

  func delete(_ permIDs: [String]) {
    let (now, view) = (self.now, self.view(hidden: []))
    let found = permIDs.compactMap { permID in view.index(ofPermID: permID).map { ($0, view.entity($0)?.native.kind) } }
    state.withLock { state in
      state.change { changes in
        for (index, kind) in found where changes.deleted[index] == nil {
          changes.deleted[index] = now
          if let kind { changes.lastCreateOrDelete[kind] = now }
        }
      }
    }
  }

  func addEntity(header: String, category: Int, children: [String]) -> String {
    let now = self.now
    let view = self.view(hidden: [])
    let places = children.compactMap { view.index(ofPermID: $0) }
    return state.withLock { state in
      let number = (state.uncommitted ?? state.changes).added.count + 1
      let permID = "20250101120000000-\(number)"
      var entity =
        lab.count > 0
        ? lab.entity(0)
        : SimulatedEntity(
          permID: "", refcon: "", category: "", header: "", summary: "", identifier: "")
      entity.permID = permID
      entity.refcon = #"{"code":"NEW\#(number)","entityKind":"SAMPLE","entityType":"\#(entity.native.typeCode)"}"#
      (entity.header, entity.summary) = (header, "came later")
      entity.identifier = "\(lab.frame.identifier(ofProject: 0))/NEW\(number)"
      entity.children = children
      entity.isRoot = lab.shape != .demo
      (entity.registered, entity.modified) = (now, now)
      entity.native = .init(
        permID: permID, code: "NEW\(number)", typeCode: entity.native.typeCode, experiment: 0, children: places)
      state.change { changes in
        changes.added.append(entity)
        changes.addedCategories.append(category)
        changes.lastCreateOrDelete[.sample] = now
      }
      return permID
    }
  }

  /// Moves a project to another space; its contents change only their location.
  func moveProject(_ project: Int, toSpace space: Int) {
    let now = self.now
    state.withLock { state in state.change { $0.movedProjects[project] = (space, now) } }
  }

  /// Makes one change to a changing lab: mostly to an existing entity, sometimes an addition or a deletion.
  func changeSomething(_ turn: Int) {
    var chance = SimulatedChance(configuration.seed, turn)
    let view = self.view(hidden: [])
    guard view.count > 0 else { return }
    let place = chance.below(view.count)
    switch turn % 5 {
    case 3: _ = addEntity(header: "New \(turn)", category: chance.below(max(1, lab.categories.count)), children: [])
    case 4: if let entity = view.entity(place) { delete([entity.permID]) }
    default: if let entity = view.entity(place) { modify([entity.permID]) }
    }
  }
}
