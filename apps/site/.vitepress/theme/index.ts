import theme from 'vitepress/theme-without-fonts';
import '../../../../packages/pages/src/assets/tokens.css';
import './theme.css';

export default theme;
