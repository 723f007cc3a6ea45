import PluginAPI
import Synchronization

/// The connection of a screen to its controller in a child process, which may have to start again.
///
/// Requests block the thread, that of the loop: whether an event was handled decides who gets it next. A child that
/// does not answer in time is ended.
final class IsolatedScreenLink: Sendable {
  /// A controller in a child process.
  private struct Opened {
    var session: ProgramSession
    /// The number of the screen there.
    var number: Int
  }

  /// The form in which a view is drawn.
  struct FrameForm: Sendable, Equatable {
    var geometry: ScreenGeometry
    /// A Boolean value indicating whether the frame is filled with spaces first.
    var isCleared: Bool
  }

  private struct State {
    var opened: Opened?
    var face: ScreenFace
    /// The reason why there is no controller; nil while there is one.
    var failure: ErrorReport?
    /// The number of changes of the controller so far.
    var revision = 0
    var frame: (revision: Int, form: FrameForm, frame: TextFrame)?
    var outline: (revision: Int, outline: Outline)?
  }

  private let screen: ScreenRequest
  private let service: ProgramService
  private let screens: IsolatedScreens
  private let state: Mutex<State>
  private static let numbers = Mutex(0)

  init(_ screen: ScreenRequest, service: ProgramService, screens: IsolatedScreens) {
    (self.screen, self.service, self.screens) = (screen, service, screens)
    state = Mutex(State(face: ScreenFace(title: screen.screen)))
  }

  /// The parts of the controller that are known without a request.
  var face: ScreenFace { state.withLock { $0.face } }

  /// The reason why there is no controller; nil while there is one.
  var failure: ErrorReport? { state.withLock { $0.failure } }

  /// The number of the controller, which changes when it is made again; nil if there is none.
  var number: Int? { state.withLock { $0.failure == nil ? $0.opened?.number : nil } }

  private var label: String { "screen '\(screen.screen)'" }

  /// Makes the controller, in a new child if there is none.
  ///
  /// - Throws: The error of the child or of the plugin, which is also the ``failure``.
  func open() throws {
    close()
    do {
      let session = try service.awaitedSession()
      let number = Self.numbers.withLock { number in
        number += 1
        return number
      }
      screens.add(self, as: number)
      state.withLock { ($0.opened, $0.failure) = (Opened(session: session, number: number), nil) }
      // Its controller may open a store, as the start of the child does.
      _ = try request("open", ["request": screen.value], withinSeconds: service.source.limits.startSeconds)
    } catch {
      if state.withLock({ $0.opened }) == nil { service.release() } else { close() }
      fail(ErrorReport(error))
      throw error
    }
  }

  /// Ends the controller.
  func close() {
    let opened = state.withLock { state in
      defer { state.opened = nil }
      return state.opened
    }
    guard let opened else { return }
    screens.remove(opened.number)
    opened.session.notify("close", ["screen": .integer(opened.number)])
    service.release()
  }

  /// Sends a request, which may change the controller, and blocks the thread until its answer.
  ///
  /// - Parameter seconds: The time limit; nil for that of screens.
  /// - Throws: The error that ended the child, which is also the ``failure``; an error of `open`.
  func request(
    _ method: String, _ parameters: Record = Record(), withinSeconds seconds: Double? = nil
  ) throws -> Value {
    let (opened, failure) = state.withLock { ($0.opened, $0.failure) }
    if let failure { throw failure }
    guard let opened else { throw CancellationError() }
    var parameters = parameters
    parameters["screen"] = .integer(opened.number)
    do {
      return try opened.session.wait(
        method, .record(parameters), label: label,
        withinSeconds: seconds ?? service.source.limits.screenSeconds
      ) { [self] response in
        // In the order of the child's messages, which include changes without a request.
        if !response["face"].isNull { changed(response["face"]) }
      }
    } catch {
      fail(ErrorReport(error))
      throw error
    }
  }

  /// Runs the work of an effect in the child.
  ///
  /// - Parameter token: The effect, as the child named it.
  func work(_ token: Int, _ progress: any WorkProgress) async throws {
    guard let opened = state.withLock({ $0.failure == nil ? $0.opened : nil }) else { throw CancellationError() }
    _ = try await opened.session.work(
      "work", ["screen": .integer(opened.number), "token": .integer(token)], label: label, canceledWithinSeconds: nil
    ) { progress.report($0) }
  }

  /// Records a change of the controller.
  func changed(_ face: Value) {
    let face = try? ScreenFace(value: face)
    state.withLock { state in
      if let face { state.face = face }
      state.revision += 1
    }
  }

  /// Records the end of a child, if the controller was there.
  func ended(_ session: ProgramSession, _ end: ProgramSession.End, of plugin: String) {
    guard let opened = state.withLock({ $0.opened }), opened.session === session else { return }
    let error = ProgramError.ended(.isolatedLibrary(plugin), during: label, how: end.how)
    state.withLock { state in
      if state.failure == nil { state.failure = error }
      state.revision += 1
    }
  }

  private func fail(_ report: ErrorReport) {
    state.withLock { state in
      state.failure = report
      state.revision += 1
    }
  }
}

// MARK: - Drawing

extension IsolatedScreenLink {
  /// Returns the frame of the controller's view: the last one, if neither view nor form changed since.
  func frame(_ form: FrameForm) throws -> TextFrame {
    let (revision, known) = state.withLock { ($0.revision, $0.frame) }
    if let known, known.revision == revision, known.form == form, failure == nil { return known.frame }
    let response = try request("draw", ["geometry": form.geometry.value, "isCleared": .bool(form.isCleared)])
    let frame = try understood { try TextFrame(value: response) }
    state.withLock { $0.frame = (revision, form, frame) }
    return frame
  }

  /// Returns the outline of the controller's view: the last one, if the view did not change since.
  func outline() throws -> Outline {
    let (revision, known) = state.withLock { ($0.revision, $0.outline) }
    if let known, known.revision == revision, failure == nil { return known.outline }
    let response = try request("outline")
    let outline = try understood { try Outline(value: response) }
    state.withLock { $0.outline = (revision, outline) }
    return outline
  }

  /// Reads an answer; one that cannot be read means that the child's memory is damaged.
  func understood<Content>(_ read: () throws -> Content) throws -> Content {
    do {
      return try read()
    } catch {
      let report = ProgramError.badMessage(.isolatedLibrary(service.source.id), "\(error)")
      fail(report)
      throw report
    }
  }
}

/// The view of a controller in a child process.
struct IsolatedView: View {
  let link: IsolatedScreenLink

  func draw(into frame: inout TextFrame) {
    let size = frame.size
    let geometry = ScreenGeometry(size: size, pixelsPerCell: frame.pixelsPerCell)
    let form = IsolatedScreenLink.FrameForm(geometry: geometry, isCleared: frame[0, 0].glyph == 0x20)
    guard let drawn = try? link.frame(form) else { return failureView.draw(into: &frame) }
    for y in 0..<drawn.frameSize.height {
      for x in 0..<drawn.frameSize.width { frame[x, y] = drawn[x, y] }
    }
    for placed in drawn.pictures { frame.place(placed.picture, in: placed.rect) }
    if let cursor = drawn.cursor { frame.setCursor(x: cursor.x, y: cursor.y) }
  }

  var outline: Outline { (try? link.outline()) ?? failureView.outline }

  /// The page in place of a view that cannot be drawn.
  private var failureView: any View {
    let reason = link.failure?.description ?? "The screen is closed"
    return ProgramView(title: link.face.title, text: reason + "\n\nEnter starts it again").view
  }
}
