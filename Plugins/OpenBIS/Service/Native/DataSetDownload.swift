import PluginAPI
import PluginNet
import PluginStore
import PluginText
import Synchronization

/// A downloader of data sets' files: in chunks if the data store supports that, else as a whole, several at once.
struct DataSetDownload: Sendable {
  /// A file and its local path.
  struct Target: Sendable, Hashable {
    var file: DataSetFile
    var path: String
  }

  let plain: FileDownload
  let fast: FastDownload
  /// The size below which a single file is not worth the requests that begin and end a fast download.
  var smallestFastInBytes = 1 << 20

  /// The number of files of one fast download; each is open during the download.
  private static let filesAtOnce = 64
  /// The number of files that the plain download fetches at once.
  private static let parallel = 4

  /// Downloads files; a failure does not affect the other files.
  ///
  /// - Parameters:
  ///   - targets: The files, each with a path of its own.
  ///   - isResuming: True to resume existing parts.
  ///   - onProgress: Receives the number of bytes received of all files; must not wait.
  /// - Returns: For each file, true if there was a checksum to verify it with, or the error.
  /// - Throws: Errors of an unreachable server; `CancellationError`. Parts are kept for the next attempt.
  func fetch(
    _ targets: [Target], isResuming: Bool = true, onProgress: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws -> [Result<Bool, any Error>] {
    let total = DownloadedBytes(onProgress)
    var outcomes: [Result<Bool, any Error>?] = Array(repeating: nil, count: targets.count)
    if targets.count > 1 || targets.contains(where: { $0.file.size >= smallestFastInBytes }) {
      var indices = targets.indices.filter { targets[$0].file.isInDataSet }[...]
      while let first = indices.first {
        let batch = indices.prefix(Self.filesAtOnce).filter {
          targets[$0].file.store == targets[first].file.store && targets[$0].file.dataSet == targets[first].file.dataSet
        }
        guard try await fetchFast(Array(batch), targets, isResuming, &outcomes, total) else { break }
        indices = indices.filter { !batch.contains($0) }[...]
      }
    }
    // A fast download left its parts, which are resumed in any case.
    let remaining = targets.indices.filter { outcomes[$0] == nil }
    let later = TaskLimiter(Self.parallel)
    try await withThrowingTaskGroup(of: (Int, Result<Bool, any Error>).self) { group in
      for index in remaining {
        let target = targets[index]
        group.addTask {
          try await later.withSlot {
            do {
              let isChecked = try await plain.fetch(target.file, to: target.path, isResuming: isResuming) { count in
                total.set(count, of: index)
              }
              return (index, .success(isChecked))
            } catch {
              if error is CancellationError || RPCError.meansOffline(error) { throw error }
              return (index, .failure(error))
            }
          }
        }
      }
      for try await (index, outcome) in group { outcomes[index] = outcome }
    }
    return outcomes.map { $0 ?? .failure(CancellationError()) }
  }

  /// Downloads files by the fast download; returns false if the data store does not offer it.
  private func fetchFast(
    _ indices: [Int], _ targets: [Target], _ isResuming: Bool, _ outcomes: inout [Result<Bool, any Error>?],
    _ total: DownloadedBytes
  ) async throws -> Bool {
    var parts: [(index: Int, part: PartFile)] = []
    defer { for (_, part) in parts { part.close() } }
    for index in indices {
      do {
        let part = try PartFile(of: targets[index].path)
        parts.append((index, part))
        if isResuming { try await OwnThread.value { try part.readExisting($0) } }
        if !isResuming || part.count > targets[index].file.size { try part.restart() }
      } catch let error as DownloadError {
        outcomes[index] = .failure(error)
      }
    }
    let opened = parts.filter { outcomes[$0.index] == nil }
    let wanted = opened.map { FastDownload.Target(file: targets[$0.index].file, part: $0.part) }
    let before = total.count
    var isOffered = true
    do {
      isOffered = try await fast.fetch(wanted) { total.set(total: before + $0) }
    } catch {
      if error is CancellationError || RPCError.meansOffline(error) {
        for (_, part) in opened where part.count == 0 { part.remove() }
        throw error
      }
      // The plain download continues with the existing parts.
    }
    for (index, part) in opened {
      let file = targets[index].file
      if part.count == file.size, isOffered || file.size > 0 {
        outcomes[index] = Result { try part.finish(as: file) }
      } else if part.count == 0 {
        part.remove()
      }
      total.set(part.count, of: index)
    }
    return isOffered
  }
}

/// A sum of the bytes received of several files.
private final class DownloadedBytes: Sendable {
  private let counts = Mutex<[Int: Int]>([:])
  private let onProgress: @Sendable (Int) -> Void

  init(_ onProgress: @escaping @Sendable (Int) -> Void) {
    self.onProgress = onProgress
  }

  var count: Int { counts.withLock { $0.values.reduce(0, +) } }

  func set(_ count: Int, of index: Int) {
    let total = counts.withLock { counts in
      counts[index] = count
      return counts.values.reduce(0, +)
    }
    onProgress(total)
  }

  /// Reports a total that is not yet known file by file.
  func set(total: Int) { onProgress(total) }
}

/// Errors of downloads of a data set's files.
enum DownloadError: Error, Equatable, ReportableError {
  /// The checksum of the content differs from that of the data store.
  case otherChecksum(file: String, expected: UInt32, found: UInt32)
  /// The size of the content differs from that of the data store.
  case otherSize(file: String, expected: Int, found: Int)
  /// The data store sent a page with an error instead of the file.
  case page(file: String, DataStorePage)
  /// The path leads out of the data set.
  case badPath(file: String)
  /// A file of that name exists, and the user did not agree to replace it.
  case exists(path: String)
  /// The data store sent a part of the file other than the one requested.
  case otherPart(file: String)
  /// Another process is downloading to the same file.
  case busy(path: String)
  /// The local file cannot be written; the number is the system's error number.
  case notWritten(path: String, WholeFileFailure)
  /// A pipe or a device cannot be resumed.
  case noPlainFile(path: String)

  var report: ErrorReport {
    switch self {
    case .otherChecksum(let file, let expected, let found):
      Code.checksum(
        "'\(file)' has the checksum \(Hexadecimal.text(found, digits: 8)) instead of "
          + Hexadecimal.text(expected, digits: 8),
        advice: "the file was not stored; download it again", details: ["file": .text(file)], isRetryable: true)
    case .otherSize(let file, let expected, let found):
      Code.size(
        "'\(file)' has \(found) bytes instead of \(expected)",
        advice: "download it again", details: ["file": .text(file)], isRetryable: true)
    case .page(let file, let page):
      ErrorReport(
        code: Code.refused.code, kind: page.kind,
        page.reason.isEmpty
          ? "the data store sent an empty page instead of '\(file)'"
          : "the data store refused '\(file)': \(page.reason)",
        advice: page.endsSession ? "log in again" : nil, details: ["file": .text(file)])
    case .badPath(let file):
      Code.path(
        "'\(file)' is not a path within a data set, and was not requested",
        details: ["file": .text(file)])
    case .exists(let path):
      Code.fileExists(
        "'\(path)' exists",
        advice: "choose another file with '--output', or replace it with '--overwrite'", details: ["file": .text(path)])
    case .otherPart(let file):
      Code.range(
        "the data store sent a different part of '\(file)' than requested", advice: "start over with '--anew'",
        details: ["file": .text(file)])
    case .busy(let path):
      Code.busy(
        "another process is downloading to '\(path)'",
        advice: "wait until it ends, or choose another file with '--output'", details: ["file": .text(path)])
    case .notWritten(let path, let failure):
      ErrorReport(
        code: Code.file.code, kind: failure.kind, "'\(path)' cannot be written: \(failure.reason)",
        advice: failure.advice ?? "check the folder and the free disk space", details: ["file": .text(path)])
    case .noPlainFile(let path):
      Code.file(
        "'\(path)' is a pipe or a device, not a plain file",
        advice: "choose a plain file, so that the download can be resumed", details: ["file": .text(path)])
    }
  }

  private enum Code {
    static let checksum = DeclaredError(
      "openbis.download-checksum", .network, "the checksum of a downloaded file is wrong")
    static let size = DeclaredError("openbis.download-size", .network, "the size of a downloaded file is wrong")
    static let refused = DeclaredError("openbis.download-refused", .failure, "the data store refused a file")
    static let path = DeclaredError("openbis.download-path", .refused, "the path of a file points outside the data set")
    static let fileExists = DeclaredError(
      "openbis.file-exists", .refused, "a file of that name exists and was not replaced")
    static let range = DeclaredError(
      "openbis.download-range", .network, "the data store sent a different part of a file than requested")
    static let busy = DeclaredError(
      "openbis.download-busy", .refused, "another process is downloading to the same file")
    static let file = DeclaredError("openbis.download-file", .refused, "a downloaded file cannot be written")
    static let all = [checksum, size, refused, path, fileExists, range, busy, file]
  }

  /// The stable codes.
  static let errorCodes = Code.all.map(\.catalogueEntry)
}
