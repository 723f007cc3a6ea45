/// Work of a screen whose result changes the screen's controller.
///
/// `load` and `compute` of ``Controller`` make it. The host drops the results of work that was superseded or canceled,
/// shows progress, and reports errors in the status line.
public struct Load: Sendable {
  /// A change of a controller's state, which returns the effects that follow.
  public struct Completion: Sendable {
    private let change: @MainActor @Sendable () -> [Effect]

    /// Creates a completion.
    public init(_ change: @escaping @MainActor @Sendable () -> [Effect]) { self.change = change }

    /// Changes the state.
    @MainActor public func callAsFunction() -> [Effect] { change() }
  }

  /// The work itself; it returns the change of state for its result.
  public enum Work: Sendable {
    /// Waits without blocking a thread.
    case concurrent(@Sendable (any WorkProgress) async throws -> Completion)
    /// Blocks a thread or keeps it busy, and gets one of its own.
    case blocking(@Sendable (any WorkProgress) throws -> Completion)
  }

  /// The reason why work has no result.
  public enum Failure: Sendable {
    /// It threw an error, which the host reports.
    case failed(ErrorReport)
    /// The controller or the user canceled it.
    case canceled
  }

  /// The name of the work; new work of the same name supersedes what is running.
  public let id: EffectID
  /// The label that users see while the work runs.
  public let label: String
  /// The work.
  public let work: Work
  /// The change of state if there is no result; nil for none.
  public let failed: (@Sendable (Failure) -> Completion)?

  /// Creates work.
  public init(_ id: EffectID, _ label: String, _ work: Work, failed: (@Sendable (Failure) -> Completion)?) {
    (self.id, self.label, self.work, self.failed) = (id, label, work, failed)
  }
}

/// A screen's question to the user, and the change of state for the answer.
public struct ScreenQuestion: Sendable {
  /// The form of a question.
  public enum Form: Sendable {
    /// A line of text.
    case line(PromptRequest)
    /// A choice from a list.
    case choice(ChoiceRequest)
  }

  /// The form of the question.
  public let form: Form
  /// Makes the change of state for an answer: the text, or the id of the choice.
  public let answered: @Sendable (String) -> Load.Completion

  /// Creates a question.
  public init(_ form: Form, answered: @escaping @Sendable (String) -> Load.Completion) {
    (self.form, self.answered) = (form, answered)
  }
}

extension Controller {
  /// Makes an effect that loads something without blocking a thread, such as rows of a store or a response of a service.
  ///
  /// ```swift
  /// load("stations", "Reading stations") { _ in try await store.stations() } then: { $0.stations = $1 }
  /// ```
  ///
  /// - Parameters:
  ///   - id: Names the work; new work of the same name supersedes what is running.
  ///   - label: The label that users see while the work runs.
  ///   - work: Returns the result; runs outside the event loop.
  ///   - then: Puts the result into the controller and returns the effects that follow.
  ///   - failed: Called in place of `then` if there is no result; the host has already reported the error.
  @inlinable public func load<Result: Sendable>(
    _ id: EffectID, _ label: String, _ work: @escaping @Sendable (any WorkProgress) async throws -> Result,
    then: @escaping @MainActor @Sendable (Self, Result) -> [Effect],
    failed: (@MainActor @Sendable (Self, Load.Failure) -> [Effect])? = nil
  ) -> Effect {
    let concurrent = Load.Work.concurrent { [weak self] progress in
      let result = try await work(progress)
      return Load.Completion { self.map { then($0, result) } ?? [] }
    }
    return .load(Load(id, label, concurrent, failed: failureHandler(failed)))
  }

  /// Makes an effect that loads something, after which nothing follows.
  @inlinable public func load<Result: Sendable>(
    _ id: EffectID, _ label: String, _ work: @escaping @Sendable (any WorkProgress) async throws -> Result,
    then: @escaping @MainActor @Sendable (Self, Result) -> Void,
    failed: (@MainActor @Sendable (Self, Load.Failure) -> [Effect])? = nil
  ) -> Effect {
    load(
      id, label, work,
      then: { controller, result -> [Effect] in
        then(controller, result)
        return []
      }, failed: failed)
  }

  /// Makes an effect that computes something, or waits for it, on a thread of its own.
  ///
  /// The parameters are those of `load`.
  @inlinable public func compute<Result: Sendable>(
    _ id: EffectID, _ label: String, _ work: @escaping @Sendable (any WorkProgress) throws -> Result,
    then: @escaping @MainActor @Sendable (Self, Result) -> [Effect],
    failed: (@MainActor @Sendable (Self, Load.Failure) -> [Effect])? = nil
  ) -> Effect {
    let blocking = Load.Work.blocking { [weak self] progress in
      let result = try work(progress)
      return Load.Completion { self.map { then($0, result) } ?? [] }
    }
    return .load(Load(id, label, blocking, failed: failureHandler(failed)))
  }

  /// Makes an effect that computes something, after which nothing follows.
  @inlinable public func compute<Result: Sendable>(
    _ id: EffectID, _ label: String, _ work: @escaping @Sendable (any WorkProgress) throws -> Result,
    then: @escaping @MainActor @Sendable (Self, Result) -> Void,
    failed: (@MainActor @Sendable (Self, Load.Failure) -> [Effect])? = nil
  ) -> Effect {
    compute(
      id, label, work,
      then: { controller, result -> [Effect] in
        then(controller, result)
        return []
      }, failed: failed)
  }

  /// Makes an effect that asks for a line of text; nothing happens if the user dismisses the question.
  @inlinable public func ask(
    _ request: PromptRequest, then: @escaping @MainActor @Sendable (Self, String) -> [Effect]
  ) -> Effect {
    .question(ScreenQuestion(.line(request), answered: answerHandler(then)))
  }

  /// Makes an effect that asks the user to choose one of several items, by id; nothing happens if the user dismisses
  /// it.
  @inlinable public func choose(
    _ request: ChoiceRequest, then: @escaping @MainActor @Sendable (Self, String) -> [Effect]
  ) -> Effect {
    .question(ScreenQuestion(.choice(request), answered: answerHandler(then)))
  }

  @inlinable func failureHandler(
    _ failed: (@MainActor @Sendable (Self, Load.Failure) -> [Effect])?
  ) -> (@Sendable (Load.Failure) -> Load.Completion)? {
    guard let failed else { return nil }
    return { [weak self] failure in Load.Completion { self.map { failed($0, failure) } ?? [] } }
  }

  @inlinable func answerHandler(
    _ then: @escaping @MainActor @Sendable (Self, String) -> [Effect]
  ) -> @Sendable (String) -> Load.Completion {
    { [weak self] answer in Load.Completion { self.map { then($0, answer) } ?? [] } }
  }
}
