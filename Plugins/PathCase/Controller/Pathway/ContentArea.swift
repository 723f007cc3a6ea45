import PluginAPI

/// What a controller in the content area gets to work with.
///
/// A content is any `Controller`. It is given its own size as its first event, keys that the screen has bound to actions
/// come as keys, and `pop` takes it away for the graph.
@MainActor struct ContentRequest {
  /// The network that is shown, with its database or document.
  let network: ShownNetwork
  let shelf: PathwayShelf
  let context: any PluginContext
  /// Lays something over the graph, or takes it off.
  let onOverlay: (GraphOverlay?) -> Void
  /// Tells of a node by what it stands for.
  let onDetails: (Identifier) -> Void
}

/// The controllers of one pathway that were shown in the content area, each kept as it was left.
@MainActor final class ContentArea {
  private struct Slot {
    var content: PathwayContent
    var scope: Int
    var controller: any Controller
    var sentSize: Size?
    /// What it has running.
    var running: Set<EffectID> = []
    /// The names of what was ended when the pathway was left.
    var ended: Set<String> = []

    /// What is ended when the pathway is left.
    @MainActor var endable: [EffectID] {
      guard let content = controller as? any ResumableContent else { return [] }
      return running.filter { type(of: content).endedWhenLeft.contains($0.name) }
    }
  }

  private static var nextScope = 0
  private var slots: [Slot] = []
  private(set) var shown = PathwayContent.graph
  private var geometry: ScreenGeometry?

  /// The controller that is shown; nil before there is one.
  var current: (any Controller)? { slots.first { $0.content == shown }?.controller }

  func controller(_ content: PathwayContent) -> (any Controller)? {
    slots.first { $0.content == content }?.controller
  }

  /// Shows a content; one that was not shown before is made.
  func show(_ content: PathwayContent, make: () -> any Controller) -> [Effect] {
    shown = content
    if controller(content) == nil {
      Self.nextScope += 1
      slots.append(Slot(content: content, scope: Self.nextScope, controller: make()))
    }
    return sendSize()
  }

  /// Takes what the host gave the area.
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

  /// Gives an event to what is shown.
  ///
  /// - Returns: Nil if it means nothing to it.
  func handle(_ event: Event) -> [Effect]? { perform { $0.handle(event) } }

  /// Lets what is shown do something.
  func perform(_ work: (any Controller) -> [Effect]?) -> [Effect]? {
    guard let index = slots.firstIndex(where: { $0.content == shown }), let effects = work(slots[index].controller)
    else { return nil }
    return scoped(effects, index)
  }

  /// Lets the graph do something, whatever is shown.
  func performOnGraph(_ work: (GraphController) -> [Effect]) -> [Effect] {
    guard let index = slots.firstIndex(where: { $0.content == .graph }),
      let graph = slots[index].controller as? GraphController
    else { return [] }
    return scoped(work(graph), index)
  }

  /// Gives a message to whom it is for.
  func receive(_ message: Message) -> [Effect] {
    slots.indices.flatMap { index in
      guard let inner = message.inside(slots[index].scope) else { return [Effect]() }
      if let id = inner.ended { slots[index].running.remove(id) }
      return scoped(slots[index].controller.receive(inner), index)
    }
  }

  /// Ends what takes long, until one comes back.
  func pause() -> [Effect] {
    slots.indices.flatMap { index in
      let endable = slots[index].endable
      slots[index].ended = Set(endable.map(\.name))
      return endable.map { Effect.cancel($0).scoped(slots[index].scope) }
    }
  }

  /// Begins anew what was ended.
  func resume() -> [Effect] {
    slots.indices.flatMap { index in
      let ended = slots[index].ended
      slots[index].ended = []
      guard !ended.isEmpty, let content = slots[index].controller as? any ResumableContent else { return [Effect]() }
      return scoped(content.resume(ended), index)
    }
  }

  /// Ends what takes long, for good; what keeps something goes on to its end.
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
