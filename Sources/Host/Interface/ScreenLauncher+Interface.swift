import Glibc
import PluginAPI

extension ScreenLauncher {
  /// The screens of this program: on the terminal, as lines of text, or headless.
  static let standard = ScreenLauncher { launch, interpreter in
    let session = interpreter.session
    session.options = interpreter.options
    let setup = Navigator.Setup(session: session)
    if launch.headless != nil {
      let outcome = try await HeadlessRun.run(session: session, launch, setup: setup)
      if outcome.exitStatus != 0, let error = outcome.error { throw error }
      let frame = Array((outcome.frame + "\n").utf8)
      guard let failure = outcome.failure else { return frame }
      try interpreter.streams.output.write(frame)
      throw failure
    }
    try interpreter.streams.output.flush()
    let status: Int32
    if session.options.isPlain {
      status = await PlainRun.run(
        session: session, launch, setup: setup, prompts: isatty(STDIN_FILENO) == 1)
    } else {
      var options = TerminalDisplay.Options()
      options.color = session.options.color
      options.graphics = session.options.picture.graphics
      options.background = session.options.background
      options.environment = interpreter.streams.environment
      options.takesInterrupts = interpreter.interruption == nil
      let display = try TerminalDisplay(loop: session.loop, options: options)
      interpreter.interruption?.handOver(to: display, loop: session.loop)
      status = await InterfaceRun.run(session: session, launch, display: display, setup: setup)
    }
    if status != 0 { throw ReportedFailure(status: status) }
    return []
  }
}

extension Navigator.Setup {
  /// Creates the setup of a session: the user's keys under `host.keys`, and the unusable plugins.
  @MainActor init(session: HostSession) {
    let stored = session.settings.stored(HostSettings.area, "keys")?.record ?? Record()
    for field in stored.fields {
      let texts = field.value.list?.compactMap(\.text) ?? [field.value.text].compactMap { $0 }
      keys[field.name] = texts.compactMap { Key($0) }
    }
    unusable = session.plugins.catalog.plugins.compactMap { plugin in
      guard let id = plugin.id, plugin.state != .ready, plugin.state != .shadowed else { return nil }
      let why = plugin.error.map { "\($0)" } ?? "enable it with 'workbench plugin enable \(id)'"
      return UnusablePlugin(id: id, reason: "\(plugin.state.rawValue): \(why)")
    }
  }
}

extension Interruption {
  /// Leaves interrupts to a display on a loop.
  fileprivate func handOver(to display: TerminalDisplay, loop: HostEventLoop) {
    handOver(
      to: Screen(isBlocked: { [watchdog = loop.watchdog] in watchdog.isBlocked }) { [weak self, weak display] isKey in
        loop.post {
          self?.screenAnswered()
          display?.interrupt(isKey: isKey)
        }
      })
  }
}
