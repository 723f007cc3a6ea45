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
  let onDetails: (Identifier) -> [Effect]
}

/// The controllers of one pathway that were shown in the content area, each kept as it was left.
@MainActor final class ContentArea {
  private struct Slot {
    var content: PathwayContent
    var scope: Int
    var controller: any Controller
    var sentSize: Size?
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
    let effects = slots[index].controller.handle(.resize(geometry)) ?? []
    return effects.map { $0.scoped(slots[index].scope) }
  }

  /// Gives an event to what is shown.
  ///
  /// - Returns: Nil if it means nothing to it.
  func handle(_ event: Event) -> [Effect]? { perform { $0.handle(event) } }

  /// Lets what is shown do something.
  func perform(_ work: (any Controller) -> [Effect]?) -> [Effect]? {
    guard let slot = slots.first(where: { $0.content == shown }), let effects = work(slot.controller) else {
      return nil
    }
    return effects.map { $0.scoped(slot.scope) }
  }

  /// Lets the graph do something, whatever is shown.
  func performOnGraph(_ work: (GraphController) -> [Effect]) -> [Effect] {
    guard let slot = slots.first(where: { $0.content == .graph }), let graph = slot.controller as? GraphController
    else { return [] }
    return work(graph).map { $0.scoped(slot.scope) }
  }

  /// Gives a message to whom it is for.
  func receive(_ message: Message) -> [Effect] {
    slots.flatMap { slot in
      guard let inner = message.inside(slot.scope) else { return [Effect]() }
      return slot.controller.receive(inner).map { $0.scoped(slot.scope) }
    }
  }
}
