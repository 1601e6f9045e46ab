import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.olingo.client.api.EdmEnabledODataClient;
import org.apache.olingo.client.api.communication.ODataClientErrorException;
import org.apache.olingo.client.api.communication.request.ODataBasicRequest;
import org.apache.olingo.client.api.domain.ClientEntity;
import org.apache.olingo.client.api.domain.ClientEntitySet;
import org.apache.olingo.client.api.domain.ClientInlineEntitySet;
import org.apache.olingo.client.api.domain.ClientServiceDocument;
import org.apache.olingo.client.api.uri.QueryOption;
import org.apache.olingo.client.api.uri.URIBuilder;
import org.apache.olingo.client.core.ODataClientFactory;
import org.apache.olingo.commons.api.edm.EdmEntityType;

/** Reads the people of a scheduling server with Apache Olingo and prints what it found as JSON. */
public final class ReadPeople {
  private final String root = System.getenv("ODATA_ROOT");
  private final EdmEnabledODataClient client = ODataClientFactory.getEdmEnabledClient(root);
  private final String token;

  private ReadPeople(String token) {
    this.token = token;
  }

  public static void main(String[] args) throws Exception {
    Map<String, Object> found = new LinkedHashMap<>();
    found.put("admin", new ReadPeople(System.getenv("ADMIN_TOKEN")).readAll());
    found.put("reader", new ReadPeople(System.getenv("READER_TOKEN")).readAll());
    found.put("unauthorized", new ReadPeople("wrong").error(new ReadPeople("wrong").people().build()));
    System.out.println(new ObjectMapper().writeValueAsString(found));
  }

  private Map<String, Object> readAll() throws Exception {
    Map<String, Object> found = new LinkedHashMap<>();
    ClientServiceDocument service =
        client.getRetrieveRequestFactory().getServiceDocumentRequest(root).execute().getBody();
    found.put("sets", service.getEntitySetNames());
    EdmEntityType type =
        client.getCachedEdm().getEntityContainer().getEntitySet("StaffMembers").getEntityType();
    found.put("key", type.getKeyPredicateNames());
    found.put("dateType", type.getProperty("StartDate").getType().getName());

    String filter = "Tags/any(t:t/Tags/any(e:e/Name eq 'Gold'))";
    found.put("filtered", names(list(people().filter(filter).orderBy("StaffId desc").build())));
    found.put("counted", list(people().filter("Fte lt 1").count(true).top(1).build()).getCount());
    String count = send(client.getRetrieveRequestFactory().getValueRequest(people().count().build())).toString();
    found.put("count", Integer.valueOf(count));
    found.put("pages", pages());

    Map<QueryOption, Object> tags = new LinkedHashMap<>();
    tags.put(QueryOption.FILTER, "CategoryName eq 'Colour'");
    tags.put(QueryOption.SELECT, "CategoryName,Tags");
    ClientEntity expanded =
        list(people().filter("StaffId eq 'I-01'").expandWithOptions("Tags", tags).build()).getEntities().get(0);
    List<Object> tagNames = new ArrayList<>();
    ClientInlineEntitySet inline = expanded.getNavigationLink("Tags").asInlineEntitySet();
    for (ClientEntity category : inline.getEntitySet().getEntities()) {
      category.getProperty("Tags").getCollectionValue().forEach(tag ->
          tagNames.add(tag.asComplex().get("Name").getPrimitiveValue().toString()));
    }
    found.put("tags", tagNames);

    ClientEntity person = send(client.getRetrieveRequestFactory()
        .getEntityRequest(people().appendKeySegment("k2").build()));
    found.put("person", List.of(
        text(person, "FirstName"), text(person, "StartDate"), text(person, "Fte")));
    found.put("missing", error(people().appendKeySegment("nobody").build()));
    found.put("invalid", error(people().filter("Nobody eq 1").build()));
    return found;
  }

  /** Follows the links from page to page. */
  private List<Integer> pages() {
    List<Integer> sizes = new ArrayList<>();
    URI next = people().orderBy("LastName").build();
    while (next != null) {
      var request = client.getRetrieveRequestFactory().getEntitySetRequest(next);
      request.setPrefer(client.newPreferences().maxPageSize(10));
      ClientEntitySet page = send(request);
      sizes.add(page.getEntities().size());
      next = page.getNext();
    }
    return sizes;
  }

  private URIBuilder people() {
    return client.newURIBuilder(root).appendEntitySetSegment("StaffMembers");
  }

  private ClientEntitySet list(URI uri) {
    return send(client.getRetrieveRequestFactory().getEntitySetRequest(uri));
  }

  private <T> T send(org.apache.olingo.client.api.communication.request.retrieve.ODataRetrieveRequest<T> request) {
    request.addCustomHeader("Authorization", "Bearer " + token);
    return request.execute().getBody();
  }

  /** Returns the status and the code with which the client reports an error. */
  private List<Object> error(URI uri) {
    try {
      send(client.getRetrieveRequestFactory().getEntityRequest(uri));
      return List.of();
    } catch (ODataClientErrorException error) {
      return List.of(error.getStatusLine().getStatusCode(), error.getODataError().getCode());
    }
  }

  private static List<String> names(ClientEntitySet set) {
    return set.getEntities().stream().map(person -> text(person, "StaffId")).toList();
  }

  private static String text(ClientEntity person, String name) {
    return person.getProperty(name).getPrimitiveValue().toString();
  }
}
