/// pybis, the client of the openBIS project, called by scripts of its own.
struct PyBIS {
  /// The Python interpreter that has it.
  var python: String

  private static let begin = """
    import sys, time, warnings
    warnings.filterwarnings('ignore')
    import urllib3
    urllib3.disable_warnings()
    from pybis import Openbis
    address, user, password, count = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
    o = Openbis(address, verify_certificates=False)
    o.login(user, password)
    start = time.perf_counter()
    """

  /// The tables of V1, all roots, as pybis reads them: JSON in memory, nothing stored.
  private static let tables =
    begin + """

      def call(key, **more):
          return o._post_request(o.reg_v1, {'method': 'createReportFromAggregationService', 'params': [
              o.token, 'DSS1', 'ipad-read-service-v1', dict(requestKey=key, **more)]})
      rows = 0
      titles = [c['title'] for c in call('NAVIGATION')['columns']]
      place, other = titles.index('PERM_ID'), titles.index('REFCON')
      for row in call('NAVIGATION')['rows']:
          answer = call('ROOT', lastupdate='0.000000', entities=[
              {'PERM_ID': row[place]['value'], 'REFCON': row[other]['value']}])
          rows += len(answer['rows'])
      print((time.perf_counter() - start) * 1000, rows)
      """

  /// The objects of V3 in pages of a thousand, as pybis lists them: a table without properties.
  private static let objects =
    begin + """

      rows = 0
      while rows < count:
          page = o.get_samples(start_with=rows, count=1000)
          if len(page.df) == 0: break
          rows += len(page.df)
      print((time.perf_counter() - start) * 1000, rows)
      """

  /// The data that pybis reads.
  enum Subject {
    case tables, objects
  }

  /// Returns the milliseconds without login and start, and the peak of memory in MiB.
  func read(_ subject: Subject, _ server: Simulator, count: Int) -> (milliseconds: Double, mebibytes: Double)? {
    let script = subject == .tables ? Self.tables : Self.objects
    let child = Child.run([python, "-c", script, server.address, server.user, server.password, "\(count)"])
    guard child.status == 0, let words = child.output.split(separator: " ").first, let time = Double(words) else {
      return nil
    }
    return (time, child.peakMebibytes)
  }
}
