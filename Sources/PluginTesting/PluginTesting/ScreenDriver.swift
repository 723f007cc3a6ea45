public import PluginAPI

/// A screen under test: it receives keys, performs effects, and shows the user's view.
///
/// Computed work runs at once, unless ``holdsComputations`` is true. Loads and commands run when the test awaits
/// ``settle()``. Until then, work can be looked at, completed alone and canceled: see ``pendingWork``. Effects for the
/// host, such as pushed screens and questions, are recorded in ``requests``.
///
/// ```swift
/// let screen = try plugin.screen("stations", holdsComputations: true)
/// screen.press("enter")
/// #expect(screen.pendingWork == ["tides"] && screen.text.contains("computing"))
/// screen.cancelWork("tides")
/// ```
@MainActor public final class ScreenDriver {
  /// The screen's controller.
  public let controller: any Controller
  /// The size and background of the screen.
  public private(set) var geometry: ScreenGeometry
  /// The effects that the host would perform, which the driver only records: push, pop, choose, status, quit and
  /// others.
  public private(set) var requests: [Effect] = []
  /// The errors of loads, computed work and commands, which the host reports in the status line.
  public private(set) var failures: [ErrorReport] = []
  /// The events that the screen did not handle.
  public private(set) var unhandled: [Event] = []
  /// A Boolean value indicating whether computed work waits for ``settle()`` or ``completeWork(_:)``, as loads do, rather
  /// than being done at once; false unless the test says otherwise.
  public var holdsComputations: Bool
  private let plugin: TestPlugin
  private let description: ScreenDescription
  private var commands: [(id: EffectID, name: String, arguments: Record)] = []
  private var loads: [Load] = []
  private var timers: [EffectID: any Cancellable] = [:]
  private var subscriptions: [any Cancellable] = []
  private var isOpen = true

  /// Opens a screen.
  ///
  /// Its first events are its size and its visibility.
  /// - Parameters:
  ///   - plugin: The plugin.
  ///   - request: The screen and its arguments.
  ///   - size: The size of the screen in cells.
  ///   - holdsComputations: True if computed work waits, from the start of the screen on; see ``holdsComputations``.
  public init(
    _ plugin: TestPlugin, _ request: ScreenRequest, size: Size = Size(width: 80, height: 24),
    holdsComputations: Bool = false
  ) throws {
    guard let description = plugin.plugin.contributions.screens.first(where: { $0.name == request.screen }) else {
      throw MissingPart.screen(request.screen)
    }
    self.plugin = plugin
    self.description = description
    self.holdsComputations = holdsComputations
    geometry = ScreenGeometry(size: size)
    controller = try plugin.plugin.makeController(request, plugin.context)
    subscriptions = description.topics.map { topic in
      plugin.context.subscribe(topic) { [weak self] in self?.receive(.notification($0)) }
    }
    send(.resize(geometry))
    perform(controller.start())
    plugin.context.loop.drain()
    send(.visible(true))
  }

  /// Closes the screen, as the host does when the user leaves it.
  ///
  /// Later calls do nothing.
  public func close() {
    guard isOpen else { return }
    isOpen = false
    for subscription in subscriptions { subscription.cancel() }
    for timer in timers.values { timer.cancel() }
    (subscriptions, timers, commands, loads) = ([], [:], [], [])
    controller.end()
  }

  isolated deinit { close() }

  /// Presses keys, given in text form: `press("down", "enter", "ctrl-d")`.
  public func press(_ keys: String...) {
    for text in keys {
      guard let key = Key(text) else { preconditionFailure("'\(text)' names no key") }
      press(key)
    }
  }

  /// Types a text, character by character.
  public func type(_ text: String) {
    for character in text { press(Key(character == "\n" ? .enter : .character(character))) }
  }

  private func press(_ key: Key) {
    let name = key.description
    if !controller.wantsText, let action = description.actions.first(where: { $0.keys.contains(name) }) {
      perform(ActionInvocation(action.id, action.arguments))
    } else {
      send(.key(key))
    }
  }

  /// Presses and releases the main mouse button at a cell.
  public func click(x: Int, y: Int, clicks: Int = 1) {
    send(.mouse(Mouse(.press(clicks: clicks), at: Point(x: x, y: y))))
    send(.mouse(Mouse(.release, at: Point(x: x, y: y))))
  }

  /// Changes the size of the screen.
  public func resize(_ width: Int, _ height: Int) {
    geometry.size = Size(width: width, height: height)
    send(.resize(geometry))
  }

  /// Sends an event to the screen.
  public func send(_ event: Event) {
    if let effects = controller.handle(event) { perform(effects) } else { unhandled.append(event) }
    plugin.context.loop.drain()
  }

  /// Performs a screen action, as the palette or a click does.
  public func perform(_ invocation: ActionInvocation) {
    perform(controller.perform(invocation))
    plugin.context.loop.drain()
  }

  /// Sends a message to the controller.
  public func receive(_ message: Message) {
    perform(controller.receive(message))
  }

  /// Answers the latest question with the id of a choice or a text; nil dismisses it.
  public func answer(_ answer: String?) {
    for request in requests.reversed() {
      switch request {
      case .question(let question):
        if let answer { complete(question.answered(answer)) }
        plugin.context.loop.drain()
        return
      default: continue
      }
    }
    preconditionFailure("the screen asked nothing")
  }

  /// Runs the requested loads and commands, and any that follow from them, until none remain.
  public func settle() async {
    plugin.context.loop.drain()
    while !commands.isEmpty || !loads.isEmpty {
      if !loads.isEmpty {
        await run(loads.removeFirst())
      } else {
        let next = commands.removeFirst()
        await run(next.id, next.name, next.arguments)
      }
      plugin.context.loop.drain()
    }
  }

  /// The names of the loads, computations and commands that have been requested and not run, in order.
  public var pendingWork: [EffectID] { loads.map(\.id) + commands.map(\.id) }

  /// Runs one piece of pending work and delivers its result; other work stays pending.
  ///
  /// - Parameter id: The name of the work, which must be pending.
  public func completeWork(_ id: EffectID) async {
    await runPending(id, isCanceled: false)
  }

  /// Runs one piece of pending computation with its progress canceled from the start, as if the user canceled it while it
  /// ran: work that calls `checkCancellation()` ends there.
  ///
  /// A load or a command is canceled without being run.
  /// - Parameter id: The name of the work, which must be pending.
  public func interruptWork(_ id: EffectID) async {
    await runPending(id, isCanceled: true)
  }

  /// Cancels one piece of pending work, as the user does with Escape; the screen receives the cancellation.
  ///
  /// - Parameter id: The name of the work, which must be pending.
  public func cancelWork(_ id: EffectID) {
    checkPending(id)
    cancel(id)
    plugin.context.loop.drain()
  }

  private func checkPending(_ id: EffectID) {
    precondition(pendingWork.contains(id), "no work named '\(id)' is pending")
  }

  private func runPending(_ id: EffectID, isCanceled: Bool) async {
    checkPending(id)
    if let index = loads.firstIndex(where: { $0.id == id }) {
      if case .blocking = loads[index].work {
        await run(loads.remove(at: index), isCanceled: isCanceled)
      } else if isCanceled {
        cancel(id)
      } else {
        await run(loads.remove(at: index))
      }
    } else if isCanceled {
      cancel(id)
    } else if let index = commands.firstIndex(where: { $0.id == id }) {
      let command = commands.remove(at: index)
      await run(command.id, command.name, command.arguments)
    }
    plugin.context.loop.drain()
  }

  /// Advances the time.
  public func advance(by seconds: Double) {
    plugin.context.loop.advance(by: seconds)
  }

  /// The screen as the user currently sees it.
  public var frame: TextFrame {
    var frame = TextFrame(size: geometry.size, pixelsPerCell: geometry.pixelsPerCell)
    controller.view.draw(into: &frame)
    return frame
  }

  /// The text of the screen; line feeds separate lines.
  public var text: String { frame.plainText }

  /// The outline of the screen for linear reading.
  public var outline: Outline { controller.view.outline }

  /// The screens that were pushed, shown beside, or presented, in order.
  public var pushed: [ScreenRequest] {
    requests.compactMap {
      switch $0 {
      case .push(let request), .detail(let request), .present(let request), .replace(let request): request
      default: nil
      }
    }
  }

  private func perform(_ effects: [Effect]) {
    for effect in effects { perform(effect) }
  }

  private func perform(_ effect: Effect) {
    switch effect {
    case .run(let run): commands.append((run.id, run.command, run.arguments))
    case .load(let load): start(load)
    case .cancel(let id): cancel(id)
    case .timer(let timer):
      timers[timer.id]?.cancel()
      let interval = timer.repeats ? timer.seconds : nil
      timers[timer.id] = plugin.context.loop.schedule(after: timer.seconds, every: interval) { [weak self] in
        self?.receive(.timer(timer.id))
      }
    case .notify(let notice): plugin.context.notify(notice.topic, notice.payload)
    default: requests.append(effect)
    }
  }

  private func start(_ load: Load) {
    if case .blocking(let work) = load.work, !holdsComputations {
      return finish(load, TestLoop.outcome(of: { try work($0) }, TestProgress { _ in }))
    }
    loads.removeAll { $0.id == load.id }
    loads.append(load)
  }

  private func run(_ load: Load, isCanceled: Bool = false) async {
    let progress = TestProgress { _ in }
    if isCanceled { progress.cancel() }
    switch load.work {
    case .concurrent(let work):
      do {
        finish(load, .finished(try await work(progress)))
      } catch is CancellationError {
        finish(load, .cancelled)
      } catch {
        finish(load, .failed(error))
      }
    case .blocking(let work): finish(load, TestLoop.outcome(of: { try work($0) }, progress))
    @unknown default: preconditionFailure("the contract knows another kind of work")
    }
  }

  private func finish(_ load: Load, _ outcome: WorkOutcome) {
    switch outcome {
    case .finished(let result): complete(result as? Load.Completion)
    case .failed(let error):
      let report = ErrorReport.of(error)
      failures.append(report)
      complete(load.failed?(.failed(report)))
    case .cancelled: complete(load.failed?(.canceled))
    @unknown default: preconditionFailure("the contract knows another outcome of work")
    }
  }

  private func complete(_ completion: Load.Completion?) {
    if let completion { perform(controller.complete(completion)) }
  }

  private func cancel(_ id: EffectID) {
    if let index = loads.firstIndex(where: { $0.id == id }) {
      let load = loads.remove(at: index)
      complete(load.failed?(.canceled))
    }
    let count = commands.count
    commands.removeAll { $0.id == id }
    let timer = timers.removeValue(forKey: id)
    timer?.cancel()
    if commands.count != count || timer != nil { receive(.cancelled(id)) }
  }

  private func run(_ id: EffectID, _ name: String, _ arguments: Record) async {
    do {
      let result = try await plugin.run(name, arguments)
      for progress in result.progress { receive(.progress(id, progress)) }
      for value in result.values { receive(.emitted(id, value)) }
      receive(.finished(id))
    } catch is CancellationError {
      receive(.cancelled(id))
    } catch {
      let report = ErrorReport.of(error)
      failures.append(report)
      receive(.failed(id, report))
    }
  }
}
