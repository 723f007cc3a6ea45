import PluginAPI

/// Lets one task at a time change something of an owner, such as the stores of a plugin.
///
/// All tasks of a `parallel` block share a gate, and those of blocks within it.
@MainActor final class ParallelGate {
  /// A task as the gate sees it: with all commands that it runs, including those of Lua scripts and other plugins.
  ///
  /// A visitor never waits for itself, as its own commands have an order already.
  final class Visitor: Sendable {
    let gate: ParallelGate

    /// Creates a visitor of a gate.
    init(_ gate: ParallelGate) { self.gate = gate }
  }

  /// The end of a wait.
  private enum Admission {
    /// The visitor is inside, and leaves later.
    case inside
    /// The visitor continues without being inside: two visitors that wait for each other would never end.
    case circular
    case canceled
  }

  private struct Waiter {
    let id: Int
    let visitor: Visitor
    let continuation: CheckedContinuation<Admission, Never>
  }

  /// The visitor inside and those that wait, for one owner.
  private struct Room {
    var visitor: Visitor
    /// The number of the visitor's commands that are inside.
    var count = 1
    var waiting: [Waiter] = []
  }

  private var rooms: [String: Room] = [:]
  private var lastWaiter = 0

  /// Returns the number of commands that wait to change something of an owner.
  func waitingCount(_ owner: String) -> Int { rooms[owner]?.waiting.count ?? 0 }

  /// Waits until no other visitor changes something of an owner.
  ///
  /// - Returns: True if the visitor must leave afterwards. False if the visitor inside waits for this one: then there is
  ///   no order in which both could end.
  /// - Throws: `CancellationError` if the task was canceled before that.
  func enter(_ owner: String, _ visitor: Visitor) async throws(CancellationError) -> Bool {
    guard let room = rooms[owner] else {
      rooms[owner] = Room(visitor: visitor)
      return true
    }
    if room.visitor === visitor {
      rooms[owner]?.count += 1
      return true
    }
    if waits(room.visitor, for: visitor) { return false }
    lastWaiter += 1
    let id = lastWaiter
    let admission = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Admission, Never>) in
        if Task.isCancelled { return continuation.resume(returning: .canceled) }
        rooms[owner]?.waiting.append(Waiter(id: id, visitor: visitor, continuation: continuation))
      }
    } onCancel: {
      MainQueue.async { self.cancel(id, owner) }
    }
    switch admission {
    case .inside: return true
    case .circular: return false
    case .canceled: throw CancellationError()
    }
  }

  /// Ends a command of the visitor inside; after its last one, the next visitor enters.
  func leave(_ owner: String) {
    rooms[owner]?.count -= 1
    guard let room = rooms[owner], room.count == 0 else { return }
    guard let next = room.waiting.first?.visitor else {
      rooms[owner] = nil
      return
    }
    let entering = room.waiting.filter { $0.visitor === next }
    rooms[owner] = Room(visitor: next, count: entering.count, waiting: room.waiting.filter { $0.visitor !== next })
    // The next visitor may wait elsewhere, for one that waits here.
    let circular = rooms[owner]?.waiting.filter { waits(next, for: $0.visitor) } ?? []
    rooms[owner]?.waiting.removeAll { waiter in circular.contains { $0.id == waiter.id } }
    for waiter in entering { waiter.continuation.resume(returning: .inside) }
    for waiter in circular { waiter.continuation.resume(returning: .circular) }
  }

  private func cancel(_ id: Int, _ owner: String) {
    guard let index = rooms[owner]?.waiting.firstIndex(where: { $0.id == id }) else { return }
    rooms[owner]?.waiting.remove(at: index).continuation.resume(returning: .canceled)
  }

  /// Returns true if a visitor waits for another, or for one that does.
  private func waits(_ visitor: Visitor, for other: Visitor) -> Bool {
    var (reached, index) = ([visitor], 0)
    while index < reached.count {
      for room in rooms.values where room.waiting.contains(where: { $0.visitor === reached[index] }) {
        if room.visitor === other { return true }
        if !reached.contains(where: { $0 === room.visitor }) { reached.append(room.visitor) }
      }
      index += 1
    }
    return false
  }
}

/// The turns of commands in a `parallel` block.
///
/// The task carries its visitor to all commands that it starts: those of lines, of Lua scripts and of plugins.
enum ParallelTurn {
  /// The visitor that the task belongs to; nil outside a block.
  @TaskLocal static var visitor: ParallelGate.Visitor?

  /// Runs a command; in a block, one that changes something of an owner waits until no other task does.
  ///
  /// - Parameter owner: A plugin's identifier; an empty text for the host.
  /// - Throws: `CancellationError` if the task was canceled while it waited, and errors of the command.
  nonisolated(nonsending) static func take(
    _ owner: String, _ declaration: CommandDescription, _ run: nonisolated(nonsending) () async throws -> Void
  ) async throws {
    guard let visitor, declaration.changesSomething else { return try await run() }
    let isInside = try await visitor.gate.enter(owner, visitor)
    do {
      try Task.checkCancellation()
      try await run()
    } catch {
      if isInside { await visitor.gate.leave(owner) }
      throw error
    }
    if isInside { await visitor.gate.leave(owner) }
  }
}

extension CommandDescription {
  /// A Boolean value indicating whether the command changes or deletes something, by its declaration.
  var changesSomething: Bool { !effects.isDisjoint(with: [.writes, .deletes]) }
}
