import PluginAPI

/// Performs the effects of screens: runs their work and timers, and passes the rest to the navigator.
@MainActor final class ScreenEffects {
  private unowned let navigator: Navigator
  private let screens: ScreenStack
  private let progress: ProgressOverlay
  private let recording: StepRecording
  private let display: any Display
  private var tokens = 0
  /// The latest failure of a screen's work; nil if there was none.
  private(set) var lastFailure: ErrorReport?
  /// The tasks that wait for effects to end.
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// A one-time timer within this time counts as running work: it delays something already requested.
  private static let longestDueInSeconds = 1.0

  init(
    navigator: Navigator, screens: ScreenStack, progress: ProgressOverlay, recording: StepRecording,
    display: any Display
  ) {
    self.navigator = navigator
    self.screens = screens
    self.progress = progress
    self.recording = recording
    self.display = display
  }

  private var session: HostSession { navigator.session }

  /// A Boolean value indicating whether effects are running, other than timers and those that wait for an answer.
  var isWorking: Bool {
    !progress.notifiedStarts.isEmpty || screens.all.contains { $0.running.contains { !$0.isAsking } }
  }

  /// A Boolean value indicating whether effects are running, or timers that are due soon.
  var isDue: Bool { isWorking || screens.all.contains { !$0.dueTimers.isEmpty } }

  /// Waits until effects end or begin to wait.
  func untilChanged() async { await withCheckedContinuation { waiting.append($0) } }

  /// Wakes the tasks that wait for effects to end.
  func changed() {
    let woken = waiting
    waiting = []
    for continuation in woken { continuation.resume() }
  }

  /// Performs a controller's effects, in order.
  func perform(_ effects: [Effect], for screen: Screen) {
    for effect in effects where navigator.exitStatus == nil && screen.isOpen { perform(effect, for: screen) }
  }

  private func perform(_ effect: Effect, for screen: Screen) {
    switch effect {
    case .run(let run): start(run, for: screen)
    case .load(let load): start(load, for: screen)
    case .question(let question): ask(question, for: screen)
    case .cancel(let id): cancel(id, of: screen)
    case .timer(let timer): start(timer, for: screen)
    case .push(let request): navigator.open(request, askedBy: screen, placement: .page)
    case .detail(let request): navigator.showDetail(request, askedBy: screen)
    case .present(let request): navigator.open(request, askedBy: screen, placement: .popover)
    case .pop(let value): navigator.pop(screen, value)
    case .replace(let request):
      // Keys typed ahead are meant for the new screen.
      let waiting = screen.isLoading ? [] : screen.waitingEvents
      navigator.removeScreens(from: 0)
      navigator.open(request, askedBy: screen, placement: .page)
      screens.focused?.waitingEvents = waiting
    case .notify(let notice): send(notice, from: screen)
    case .status(let diagnostic): navigator.show(diagnostic)
    case .copy(let text):
      display.copy(text)
      navigator.show(Diagnostic(.note, code: "host.copied", "copied \(text.count) characters"))
    case .quit: navigator.end(status: 0)
    @unknown default: navigator.show(Self.unknownEffect)
    }
  }

  private static let unknownEffect = Diagnostic(
    .warning, code: "host.unknown-effect", "the screen requested an effect that this version does not support")

  /// Delivers a message to a screen that is still open, and performs the resulting effects.
  func deliver(_ message: Message, to screen: Screen) {
    guard screen.isOpen, navigator.exitStatus == nil else { return }
    perform(screen.controller.receive(message), for: screen)
  }

  // MARK: Running work

  private func start(_ run: Effect.Run, for screen: Screen) {
    let (id, command) = (run.id, run.command)
    tokens += 1
    let token = tokens
    let output = EffectOutput(loop: session.loop) { [weak self, weak screen] delivery in
      if let self, let screen { self.take(delivery, id, token, for: screen) }
    }
    let runner = CommandRunner(host: session.plugins)
    let pixels = Size(
      width: screen.rect.width * display.geometry.pixelsPerCell.width,
      height: screen.rect.height * display.geometry.pixelsPerCell.height)
    let presentation = CommandCall.Presentation(pictureSize: pixels, isInteractive: true)
    let (loop, plugin) = (session.loop, screen.plugin)
    let task = Task {
      let end: End
      do {
        try await runner.run(command, from: plugin, run.arguments, presentation: presentation, output: output)
        end = .finished(nil)
      } catch is CancellationError {
        end = .cancelled
      } catch {
        end = .failed(ErrorReport(wrapping: error, plugin: plugin ?? "host", command: command))
      }
      loop.post { [weak self, weak screen] in
        if let screen { self?.finish(token, end, for: screen) }
      }
    }
    let words = command.split(separator: ".").last.map(String.init) ?? command
    add(id, token, label: words, handle: TaskHandle(task: task), to: screen)
  }

  private func start(_ load: Load, for screen: Screen) {
    tokens += 1
    let token = tokens
    let plugin = screen.plugin ?? "host"
    let job = BackgroundJob(loop: session.loop) { [weak self, weak screen] progress in
      if let screen { self?.take(.progress(progress), load.id, token, for: screen) }
    } completion: { [weak self, weak screen] outcome in
      guard let screen else { return }
      self?.finish(token, End(outcome, load.label, plugin: plugin), for: screen)
    }
    switch load.work {
    case .concurrent(let work): job.start { try await work($0) }
    case .blocking(let work): job.start(load.label) { try work($0) }
    @unknown default: return navigator.show(Self.unknownEffect)
    }
    add(load.id, token, label: load.label, handle: job, load: load, to: screen)
  }

  private func add(
    _ id: EffectID, _ token: Int, label: String, handle: any Cancellable, load: Load? = nil, to screen: Screen
  ) {
    if let index = screen.running.firstIndex(where: { $0.id == id }) {
      screen.running.remove(at: index).handle.cancel()
    }
    screen.running.append(
      RunningEffect(id: id, token: token, label: label, startedAt: .now, handle: handle, load: load))
    navigator.announce(.started(label))
    progress.workStarted()
  }

  /// Handles the output of running work; drops that of canceled or replaced work.
  private func take(_ delivery: EffectOutput.Delivery, _ id: EffectID, _ token: Int, for screen: Screen) {
    guard let index = screen.running.firstIndex(where: { $0.token == token }) else { return }
    switch delivery {
    case .value(let value): deliver(.emitted(id, value), to: screen)
    case .progress(let progress):
      screen.running[index].progress = progress
      if screen.running[index].load == nil { deliver(.progress(id, progress), to: screen) }
    case .warning(let diagnostic): navigator.show(diagnostic)
    case .question(let request, let answer):
      screen.running[index].isAsking = true
      let form = recording.answerForm(for: screen, isSecret: request.isSecret)
      navigator.push(host: PromptController(request), named: "prompt", placement: .popover, recording: form) {
        [weak screen] value in
        if let index = screen?.running.firstIndex(where: { $0.token == token }) {
          screen?.running[index].isAsking = false
        }
        answer.give(value.text)
      }
      // A command that asks does not work meanwhile.
      workChanged()
    }
  }

  private func finish(_ token: Int, _ end: End, for screen: Screen) {
    guard let index = screen.running.firstIndex(where: { $0.token == token }) else { return }
    let effect = screen.running.remove(at: index)
    if case .failed(let report) = end {
      announceEnd(effect, "failed")
      lastFailure = report
    } else {
      announceEnd(effect, "done")
    }
    deliver(end, of: effect, to: screen)
    // Keys waiting for this work are dropped; those waiting for other work stay.
    if case .finished = end {
    } else if !screen.isOpen {
      screens.focused?.waitingEvents = []
    } else if !screen.isLoading {
      screen.waitingEvents = []
    }
    workChanged()
  }

  private func announceEnd(_ effect: RunningEffect, _ outcome: String) {
    navigator.announce(.ended(effect.label, outcome: outcome))
  }

  /// Records the end of work; after the last of it the progress bar stops.
  func workChanged() {
    if !isWorking { progress.stop() }
    changed()
  }

  /// Cancels one effect or timer; the screen is notified at once, even if the work is still running, unless it has begun
  /// other work of the same id by then.
  private func cancel(_ id: EffectID, of screen: Screen) {
    screen.timers.removeValue(forKey: id)?.cancel()
    if screen.dueTimers.remove(id) != nil { changed() }
    guard let index = screen.running.firstIndex(where: { $0.id == id }) else { return }
    let effect = screen.running.remove(at: index)
    effect.handle.cancel()
    announceEnd(effect, "canceled")
    session.loop.post { [weak self, weak screen] in
      // Work of the same id that has begun since would be mistaken for canceled work.
      if let screen, !screen.running.contains(where: { $0.id == id }) {
        self?.deliver(.cancelled, of: effect, to: screen)
      }
      self?.workChanged()
    }
  }

  /// Delivers the end of work to the screen; the status line shows a failure, unless the screen does.
  private func deliver(_ end: End, of effect: RunningEffect, to screen: Screen) {
    let effects = screen.isOpen && navigator.exitStatus == nil ? screen.effects(at: end, of: effect) : []
    if case .failed(let report) = end, !screen.shows(report.message) {
      navigator.show(Diagnostic(.error, code: report.code, report.message, advice: report.advice))
    }
    perform(effects, for: screen)
  }

  private func complete(_ completion: Load.Completion?, of screen: Screen) {
    guard let completion, screen.isOpen, navigator.exitStatus == nil else { return }
    perform(screen.controller.complete(completion), for: screen)
  }

  /// Cancels everything a screen has running.
  ///
  /// - Returns: True if there was any.
  @discardableResult
  func cancelAll(of screen: Screen) -> Bool {
    screen.waitingEvents = []
    let ids = screen.running.map(\.id)
    for id in ids { cancel(id, of: screen) }
    return !ids.isEmpty
  }

  private func start(_ timer: Effect.Timer, for screen: Screen) {
    let (id, seconds, repeats) = (timer.id, timer.seconds, timer.repeats)
    screen.timers[id]?.cancel()
    if !repeats, seconds <= Self.longestDueInSeconds, screen.firedTimer != id { screen.dueTimers.insert(id) }
    screen.timers[id] = session.loop.schedule(after: seconds, every: repeats ? seconds : nil) {
      [weak self, weak screen] in
      guard let self, let screen, screen.timers[id] != nil else { return }
      if !repeats { screen.timers[id] = nil }
      screen.dueTimers.remove(id)
      screen.firedTimer = id
      self.deliver(.timer(id), to: screen)
      screen.firedTimer = nil
      self.changed()
    }
  }

  // MARK: Asking and telling

  private func ask(_ question: ScreenQuestion, for screen: Screen) {
    let answered: @MainActor (Value) -> Void = { [weak self, weak screen] value in
      if let screen, let text = value.text { self?.complete(question.answered(text), of: screen) }
    }
    switch question.form {
    case .line(let request):
      navigator.push(
        host: PromptController(request), named: "prompt", placement: .popover,
        recording: recording.answerForm(for: screen, isSecret: request.isSecret), onReturn: answered)
    case .choice(let request):
      navigator.push(
        host: ChoiceController(request), named: "choice", placement: .popover,
        recording: recording.answerForm(for: screen), onReturn: answered)
    @unknown default: navigator.show(Self.unknownEffect)
    }
  }

  private func send(_ notice: Effect.Notice, from screen: Screen) {
    let plugin = screen.plugin ?? "host"
    session.notifications.send(
      Notification(topic: plugin + "." + notice.topic, plugin: plugin, payload: notice.payload))
  }
}

/// The end of a screen's command or work.
private enum End {
  /// It ended; work with the change of the screen's state.
  case finished(Load.Completion?)
  case failed(ErrorReport)
  case cancelled

  init(_ outcome: WorkOutcome, _ label: String, plugin: String) {
    self =
      switch outcome {
      case .finished(let result): .finished(result as? Load.Completion)
      case .failed(let error): .failed(ErrorReport(wrapping: error, plugin: plugin, command: label))
      case .cancelled: .cancelled
      @unknown default: .cancelled
      }
  }
}

extension Screen {
  /// Passes the end of work to the controller: through its completion, or else as a message.
  fileprivate func effects(at end: End, of effect: RunningEffect) -> [Effect] {
    switch (end, effect.load) {
    case (.finished(let completion), .some): completion.map { controller.complete($0) } ?? []
    case (.failed(let report), let load?): load.failed.map { controller.complete($0(.failed(report))) } ?? []
    case (.cancelled, let load?): load.failed.map { controller.complete($0(.canceled)) } ?? []
    case (.finished, nil): controller.receive(.finished(effect.id))
    case (.failed(let report), nil): controller.receive(.failed(effect.id, report))
    case (.cancelled, nil): controller.receive(.cancelled(effect.id))
    }
  }

  /// Returns true if the user sees a message on the screen, between a mark and its advice.
  fileprivate func shows(_ message: String) -> Bool {
    isVisible && controller.view.outline.text.contains { $0.hasPrefix(message) || $0.hasSuffix(message) }
  }
}
