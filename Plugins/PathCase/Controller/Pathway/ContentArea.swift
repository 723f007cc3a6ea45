import PluginAPI

/// The environment of a controller in the content area.
///
/// A content is any `Controller`. Its first event is its size. Keys that the screen binds to actions arrive as keys,
/// and `pop` replaces the content with the graph.
@MainActor struct ContentRequest {
  /// The network shown, with its database or document.
  let network: ShownNetwork
  let shelf: PathwayShelf
  let context: any PluginContext
  /// Shows an overlay on the graph, or removes it.
  let onOverlay: (GraphOverlay?) -> Void
  /// Shows the details of the thing with an id.
  let onDetails: (Identifier) -> Void
}

/// The controllers of one pathway that were shown in the content area, each kept in its last state.
@MainActor final class ContentArea {
  private struct Slot {
    var content: PathwayContent
    var scope: Int
    var controller: any Controller
    var sentSize: Size?
    /// The effects that it has running.
    var running: Set<EffectID> = []
    /// The names of the effects canceled when the pathway was left.
    var ended: Set<String> = []

    /// The effects to cancel when the pathway is left.
    @MainActor var endable: [EffectID] {
      guard let content = controller as? any ResumableContent else { return [] }
      return running.filter { type(of: content).endedWhenLeft.contains($0.name) }
    }
  }

  private static var nextScope = 0
  private var slots: [Slot] = []
  private(set) var shown = PathwayContent.graph
  private var geometry: ScreenGeometry?

  /// The visible controller; nil before there is one.
  var current: (any Controller)? { slots.first { $0.content == shown }?.controller }

  func controller(_ content: PathwayContent) -> (any Controller)? {
    slots.first { $0.content == content }?.controller
  }

  /// Shows a content, creating its controller on first use.
  func show(_ content: PathwayContent, make: () -> any Controller) -> [Effect] {
    shown = content
    if controller(content) == nil {
      Self.nextScope += 1
      slots.append(Slot(content: content, scope: Self.nextScope, controller: make()))
    }
    return sendSize()
  }

  /// Updates the geometry given by the host.
  func resize(_ geometry: ScreenGeometry) -> [Effect] {
    self.geometry = geometry
    return sendSize()
  }

  private func sendSize() -> [Effect] {
    guard let geometry, let index = slots.firstIndex(where: { $0.content == shown }),
      slots[index].sentSize != geometry.size
    else { return [] }
    slots[index].sentSize = geometry.size
    return scoped(slots[index].controller.handle(.resize(geometry)) ?? [], index)
  }

  /// Passes an event to the visible controller.
  ///
  /// - Returns: The effects; nil if the controller does not use the event.
  func handle(_ event: Event) -> [Effect]? { perform { $0.handle(event) } }

  /// Calls a function with the visible controller.
  func perform(_ work: (any Controller) -> [Effect]?) -> [Effect]? {
    guard let index = slots.firstIndex(where: { $0.content == shown }), let effects = work(slots[index].controller)
    else { return nil }
    return scoped(effects, index)
  }

  /// Calls a function with the graph's controller, whether visible or not.
  func performOnGraph(_ work: (GraphController) -> [Effect]) -> [Effect] {
    guard let index = slots.firstIndex(where: { $0.content == .graph }),
      let graph = slots[index].controller as? GraphController
    else { return [] }
    return scoped(work(graph), index)
  }

  /// Delivers a message to its receiver.
  func receive(_ message: Message) -> [Effect] {
    slots.indices.flatMap { index in
      guard let inner = message.inside(slots[index].scope) else { return [Effect]() }
      if let id = inner.ended { slots[index].running.remove(id) }
      return scoped(slots[index].controller.receive(inner), index)
    }
  }

  /// Cancels long-running effects until the user comes back.
  func pause() -> [Effect] {
    slots.indices.flatMap { index in
      let endable = slots[index].endable
      slots[index].ended = Set(endable.map(\.name))
      return endable.map { Effect.cancel($0).scoped(slots[index].scope) }
    }
  }

  /// Restarts the canceled effects.
  func resume() -> [Effect] {
    slots.indices.flatMap { index in
      let ended = slots[index].ended
      slots[index].ended = []
      guard !ended.isEmpty, let content = slots[index].controller as? any ResumableContent else { return [Effect]() }
      return scoped(content.resume(ended), index)
    }
  }

  /// Cancels long-running effects permanently; effects that store data run to their end.
  func close() -> [Effect] {
    let effects = pause()
    slots = []
    return effects
  }

  private func scoped(_ effects: [Effect], _ index: Int) -> [Effect] {
    for effect in effects { if let id = effect.started { slots[index].running.insert(id) } }
    return effects.map { $0.scoped(slots[index].scope) }
  }
}
