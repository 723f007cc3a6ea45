import PluginAPI
import Synchronization

extension SimulatedSearch {
  /// Returns the objects that contain a text anywhere.
  func globally() -> SimulatedOutcome {
    let criterion = SimulatedCriterion(criteria, of: "Global")
    let end = min(view.count, 50_000)
    let found = (0..<end).filter { view.fits($0, .sample, criterion) }.map { (place: $0, name: "") }
    return write(found) { place, writer in
      guard let entity = view.entity(place) else { return }
      writer.begin("as.dto.global.GlobalSearchObject")
      writer.fetchOptions(fetch)
      writer.buffer.add(#","objectKind":"SAMPLE""#)
      writer.id(#","objectPermId":"#, "as.dto.sample.id.SamplePermId", #","permId":"#, entity.native.permID)
      writer.id(
        #","objectIdentifier":"#, "as.dto.sample.id.SampleIdentifier", #","identifier":"#,
        view.nativeIdentifier(of: entity))
      writer.field(#","match":"#, "Code: \(entity.native.code)")
      writer.buffer.add(#","score":1.0,"experiment":null,"sample":"#)
      if let sample = fetch["sample"] { writer.sample(place, sample) } else { writer.buffer.add("null") }
      writer.buffer.add(#","dataSet":null,"material":null}"#)
    }
  }

  /// Returns the times of the last creation, deletion and change of each kind.
  func modifications() -> SimulatedOutcome {
    var (kinds, operations) = (Set<String>(), Set<String>())
    for part in criteria["criteria"].list ?? [] {
      kinds.formUnion(part["objectKinds"].list?.compactMap(\.text) ?? [])
      operations.formUnion(part["operationKinds"].list?.compactMap(\.text) ?? [])
    }
    let base = SimulatedTime.birth + view.lab.count
    var rows: [(kind: String, operation: String, at: Int)] = []
    for kind in ["SAMPLE", "EXPERIMENT", "DATA_SET", "PROJECT", "SPACE"] where kinds.isEmpty || kinds.contains(kind) {
      // A data set is created, changed and deleted with its sample.
      let source = SimulatedKind(rawValue: kind == "DATA_SET" ? "SAMPLE" : kind)
      rows.append((kind, "CREATE_OR_DELETE", source.flatMap { view.changes.lastCreateOrDelete[$0] } ?? base))
      let moves = kind == "PROJECT" ? view.changes.movedProjects.values.map(\.at).max() : nil
      rows.append((kind, "UPDATE", moves ?? source.flatMap { view.changes.lastUpdate[$0] } ?? base))
    }
    let wanted = rows.filter { operations.isEmpty || operations.contains($0.operation) }
    return write(wanted.indices.map { ($0, "") }) { place, writer in
      writer.begin("as.dto.objectkindmodification.ObjectKindModification")
      writer.fetchOptions(fetch)
      writer.field(#","objectKind":"#, wanted[place].kind)
      writer.field(#","operationKind":"#, wanted[place].operation)
      writer.field(#","lastModificationTimeStamp":"#, wanted[place].at)
      writer.end()
    }
  }

  /// Returns the services of the data stores.
  func services() -> SimulatedOutcome {
    let isMissing = core.state.withLock { $0.has(.serviceMissing) }
    let all = view.dataStores.flatMap { store in
      ["plate-overview", SimulatorCore.serviceKey].map { (store: store, key: $0) }
    }.filter { !isMissing || $0.key != SimulatorCore.serviceKey }
    return write(all.indices.map { ($0, "") }) { place, writer in
      writer.begin("as.dto.service.AggregationService")
      writer.fetchOptions(fetch)
      writer.buffer.add(#","permId":"#)
      writer.begin("as.dto.service.id.DssServicePermId")
      writer.field(#","permId":"#, all[place].key)
      writer.id(#","dataStoreId":"#, "as.dto.datastore.id.DataStorePermId", #","permId":"#, all[place].store)
      writer.end()
      writer.field(#","name":"#, all[place].key)
      writer.field(#","label":"#, all[place].key)
      writer.buffer.add(#","type":"REPORT"}"#)
    }
  }

  /// Returns the custom services of the application server.
  func customServices() -> SimulatedOutcome {
    let isMissing = core.state.withLock { $0.has(.serviceMissing) }
    return write(isMissing ? [] : [(0, "")]) { _, writer in
      writer.begin("as.dto.service.CustomASService")
      writer.fetchOptions(fetch)
      writer.id(
        #","code":"#, "as.dto.service.id.CustomASServiceCode", #","permId":"#, SimulatorCore.serviceKey)
      writer.field(#","label":"#, "iPad Read Service")
      writer.field(#","description":"#, "the table service, hosted by the application server")
      writer.end()
    }
  }

  /// Returns the user's personal access tokens.
  func personalTokens() -> SimulatedOutcome {
    let all = core.state.withLock { state in
      state.tokens.filter { $0.owner == state.sessions[call.token]?.user }
    }
    let found =
      isByID
      ? places("PersonalAccessToken", all.map { SimulatedSubject(permID: $0.token) }) : all.indices.map { ($0, "") }
    return write(found) { place, writer in
      let token = all[place]
      writer.begin("as.dto.pat.PersonalAccessToken")
      writer.fetchOptions(fetch)
      writer.id(#","permId":"#, "as.dto.pat.id.PersonalAccessTokenPermId", #","permId":"#, token.token)
      writer.field(#","hash":"#, token.token)
      writer.field(#","sessionName":"#, token.sessionName)
      writer.field(#","validFromDate":"#, token.from)
      writer.field(#","validToDate":"#, token.to)
      writer.field(#","registrationDate":"#, token.from)
      writer.field(#","modificationDate":"#, token.from)
      writer.buffer.add(#","accessDate":null"#)
      writer.person(#","owner":"#, fetch["owner"])
      writer.person(#","registrator":"#, fetch.registrator)
      writer.person(#","modifier":"#, fetch.modifier)
      writer.end()
    }
  }
}
