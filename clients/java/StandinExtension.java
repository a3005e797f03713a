import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives each JUnit 5 test that takes a {@code Standin.Account} an account of its own. */
public final class StandinExtension implements ParameterResolver {
  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Standin.Account.class;
  }

  /** Returns the same account for all parameters of a test and of its {@code @BeforeEach} methods. */
  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context.getStore(ExtensionContext.Namespace.create(StandinExtension.class))
        .getOrComputeIfAbsent("account", name -> new Standin().account());
  }
}
